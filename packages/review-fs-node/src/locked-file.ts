import type { Lock, LockProvider } from '@backstitch/durable-node';
import { sha256 } from '@backstitch/durable-node';
import type { FileState, LockedFile, Next, Scope, Seen, Staged } from '@backstitch/review-core';
import { ReviewError } from '@backstitch/review-core';
import { fileFailed } from './file-failure.ts';
import { ABSENT, lookAt, type Sight, stateOf, unsupported } from './look.ts';
import { newWorkingName } from './names.ts';
import type { Place } from './path-guard.ts';
import { lockKey, type SharedLock } from './path-lock.ts';
import { StagedFile } from './staged.ts';
import type { System } from './system.ts';
import { type Parent, walkTo } from './walk.ts';

/** What every step on a path needs to know of its workspace. */
export interface Ground {
  system: System;
  locks: LockProvider;
  /** Whether the root folds case, as far as it can be told. */
  foldsCase: boolean;
}

const RELOCK_TIMEOUT_MS = 5000;

/**
 * A path under its lock: the only object in which a staged write can be made. It remembers what it saw, and
 * every write is compared with that.
 */
export class NodeLockedFile implements LockedFile {
  readonly root: string;
  readonly path: string;
  readonly scope: Scope;
  readonly absolutePath: string;
  readonly names: { temp: string; displaced: string };
  readonly missingDirs: string[];
  readonly #ground: Ground;
  readonly #place: Place;
  readonly #lock: SharedLock;
  readonly #cap: number;
  readonly #staged: StagedFile[] = [];
  #inner: Lock | null = null;
  #sight: Sight = ABSENT;
  #released = false;

  private constructor(ground: Ground, place: Place, parent: Parent, lock: SharedLock, cap: number) {
    this.#ground = ground;
    this.#place = place;
    this.root = place.root;
    this.path = place.path;
    this.scope = place.scope;
    this.absolutePath = place.absolutePath;
    this.names = { temp: newWorkingName(), displaced: newWorkingName() };
    this.missingDirs = missingDirs(place, parent);
    this.#lock = lock.share();
    this.#cap = cap;
  }

  /** Reads the target by `parent`, which stays the caller's to close. */
  static async open(
    ground: Ground,
    place: Place,
    parent: Parent,
    lock: SharedLock,
    cap: number,
  ): Promise<NodeLockedFile> {
    const file = new NodeLockedFile(ground, place, parent, lock, cap);
    try {
      file.#sight = await file.#read(parent);
      return file;
    } catch (error) {
      await file.release();
      throw fileFailed(error, 'read', place.path);
    }
  }

  get seen(): Seen {
    return this.#sight.seen;
  }

  get ground(): Ground {
    return this.#ground;
  }

  get place(): Place {
    return this.#place;
  }

  async look(): Promise<Seen> {
    const parent = walkTo(this.#ground.system, this.#place);
    if ('refused' in parent) {
      const { seen } = unsupported('unknown', this.path);
      this.#sight = { seen: { ...seen, message: parent.message } as Seen, id: null };
      return this.seen;
    }
    try {
      this.#sight = await this.#read(parent);
      return this.seen;
    } catch (error) {
      throw fileFailed(error, 'read', this.path);
    } finally {
      parent.dir.close();
    }
  }

  async stage(next: Next): Promise<Staged> {
    if (this.#released)
      throw new ReviewError('closed', `${this.path} was released. Lock it again.`, { path: this.path });
    this.checkLock();
    const { seen } = this.#sight;
    if (seen.at === 'unsupported')
      throw new ReviewError('unsupportedKind', seen.message, { path: this.path });
    const from = stateOf(this.#sight);
    const to = endState(next, from, this.#ground.system, this.path);
    const madeDirs = [...(next.at === 'absent' ? (next.madeDirs ?? []) : this.missingDirs)];
    const intent = { root: this.root, path: this.path, from, to, ...this.names, madeDirs };
    const staged = new StagedFile(this, this.#sight, next, intent);
    this.#staged.push(staged);
    return staged;
  }

  async release(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    for (const staged of this.#staged) staged.dispose();
    this.#inner?.release();
    this.#lock.release();
  }

  /** The fencing check: called before each change. */
  checkLock(): void {
    if (!this.#released && this.#lock.holds() && (this.#inner === null || this.#inner.holds())) return;
    const message = `The lock of ${JSON.stringify(this.path)} was taken away. Nothing was written; lock it again.`;
    throw new ReviewError('lockLost', message, { path: this.path });
  }

  /**
   * Once missing parents are made, others that come compute their key from the new directory: that key is taken
   * as well, so that they wait for us. Whoever has it already was there first.
   */
  async lockInner(parent: Parent): Promise<void> {
    const key = lockKey(parent, this.#place.segments.at(-1)!, this.#ground.foldsCase);
    if (key === this.#lock.key || key === this.#inner?.key) return;
    const lock = await this.#ground.locks.acquire(key, { timeoutMs: RELOCK_TIMEOUT_MS });
    if ('busy' in lock) {
      const message = `${JSON.stringify(this.path)} is being changed by another process. Try again.`;
      throw new ReviewError('busy', message, { path: this.path });
    }
    this.#inner?.release();
    this.#inner = lock;
  }

  #read(parent: Parent): Promise<Sight> {
    if (parent.missing.length > 0) return Promise.resolve(ABSENT);
    return lookAt(parent.dir, this.#place.segments.at(-1)!, this.#cap, this.path);
  }
}

function missingDirs(place: Place, parent: Parent): string[] {
  const first = place.segments.length - 1 - parent.missing.length;
  return parent.missing.map((_, at) => place.segments.slice(0, first + at + 1).join('/'));
}

/** What shall stand there, with the mode that it will have. */
function endState(next: Next, from: FileState | null, system: System, path: string): FileState | null {
  if (next.at === 'absent') return null;
  if (sha256(next.bytes) !== next.digest) {
    throw new ReviewError(
      'invalidArgument',
      `The digest given for ${JSON.stringify(path)} is not that of its bytes.`,
      {
        path,
      },
    );
  }
  refuseReadOnly(next.mode, from, path);
  const size = next.bytes.length;
  if (next.at === 'symlink') return { digest: next.digest, size, mode: 0o777, kind: 'symlink' };
  const inherited = from?.kind === 'file' ? from.mode : 0o666 & ~system.umask();
  return { digest: next.digest, size, mode: next.mode ?? inherited, kind: 'file' };
}

/** A rename would replace a file that its owner made read-only, and nobody would have been asked. */
function refuseReadOnly(mode: number | null, from: FileState | null, path: string): void {
  if (mode !== null || from?.kind !== 'file' || (from.mode & 0o200) !== 0) return;
  const message = `${JSON.stringify(path)} is read-only (EACCES). Make it writable, then try again.`;
  throw new ReviewError('fileFailed', message, { path, errno: 'EACCES' });
}
