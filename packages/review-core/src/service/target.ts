/** What a tool gets to write with. Its writes go through the workspace's guard. */
import { ReviewError } from '../errors.ts';
import { encodeUtf8 } from '../platform.ts';
import type { Located, LockedFile, Next } from '../ports/workspace.ts';
import type { FileState } from '../record/v1.ts';
import type { Deps } from './deps.ts';
import type { Content } from './events.ts';
import type { Side } from './evidence.ts';
import { ABSENT, isUnchanged, sideOf } from './evidence.ts';
import { changedSinceRead, guardedPublish } from './guarded-publish.ts';
import type { OpenCapture } from './open-capture.ts';
import { lockOne } from './open-capture.ts';
import type { CaptureTarget } from './types.ts';

function toBytes(value: Uint8Array | string): Uint8Array {
  // A copy: what is recorded must not change when the tool reuses its buffer.
  return typeof value === 'string' ? encodeUtf8(value) : value.slice();
}

async function nextFile(
  deps: Deps,
  value: Uint8Array | string,
  mode: number | undefined,
): Promise<Next & { at: 'file' }> {
  const bytes = toBytes(value);
  return { at: 'file', bytes, digest: await deps.environment.digest(bytes), mode: mode ?? null };
}

function bytesBefore(file: LockedFile, side: Side): Uint8Array | null {
  if (side.lost === 'tooLarge') {
    throw new ReviewError(
      'captureFailed',
      `'${file.path}' is too large to be handed over (${side.state?.size} bytes). Read it in parts from its path.`,
      { path: file.path },
    );
  }
  return side.bytes === null ? null : side.bytes.slice();
}

/** The target of a recorded capture. */
export class GuardedTarget implements CaptureTarget {
  readonly absolutePath: string;
  /** What the last write of ours left; null where the tool wrote nothing through this target. */
  written: Side | null = null;
  /** Why the guard let the last write not through: then this target left the file as it was. */
  refused: unknown = null;
  /** What stands at the path can't be told here: recovery has to look. */
  unsettled = false;
  readonly #deps: Deps;
  readonly #opened: OpenCapture;
  #closed = false;
  /** One write at a time: a tool that forgets to await is served in its order. */
  #queue: Promise<void> = Promise.resolve();

  constructor(deps: Deps, opened: OpenCapture) {
    this.#deps = deps;
    this.#opened = opened;
    this.absolutePath = opened.file.absolutePath;
  }

  before(): Uint8Array | null {
    return bytesBefore(this.#opened.file, this.#opened.before);
  }

  write(value: Uint8Array | string, options: { mode?: number } = {}): Promise<void> {
    return this.#inOrder(async () => {
      const next = await nextFile(this.#deps, value, options.mode);
      const state = await this.#publish(next, { digest: next.digest, size: next.bytes.length, kind: 'file' });
      const tooLarge = next.bytes.length > this.#deps.limits.maxSnapshotBytes;
      this.written = { state, bytes: tooLarge ? null : next.bytes, lost: tooLarge ? 'tooLarge' : null };
    });
  }

  remove(): Promise<void> {
    return this.#inOrder(async () => {
      if (this.#current().state === null) return;
      await this.#publish({ at: 'absent' }, null);
      this.written = ABSENT;
    });
  }

  /** After the tool returned, a forgotten handle begins no write any more; one that is under way is waited for. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#queue;
  }

  #current(): Side {
    return this.written ?? this.#opened.before;
  }

  async #publish(next: Next, after: Content | null): Promise<FileState | null> {
    const { file, session, id } = this.#opened;
    if (this.written !== null) {
      const now = sideOf(await file.look());
      if (now === null || !isUnchanged(now.state, this.written.state)) {
        throw changedSinceRead(file, 'somebody wrote it after this call did.');
      }
    }
    const result = await guardedPublish(file, next, async () => {
      // Without a sync, and lawful to miss: it only tells a killed capture from a foreign edit.
      await session.write((tx) => tx.append([{ t: 'publishing', id, after }]), { sync: false });
    });
    if ('state' in result) return result.state;
    this.refused = result.error;
    this.unsettled ||= result.unsettled;
    throw result.error;
  }

  #inOrder(act: () => Promise<void>): Promise<void> {
    const next = this.#queue.then(() => {
      if (this.#closed) {
        throw new ReviewError(
          'closed',
          `The call that captured '${this.#opened.file.path}' is over; begin a new one.`,
        );
      }
      return act();
    });
    this.#queue = next.catch(ignoreTold);
    return next;
  }
}

/** The target of a call of which nothing may be recorded. The same guard, no bytes in any store. */
export class UnrecordedTarget implements CaptureTarget {
  readonly absolutePath: string;
  readonly #deps: Deps;
  readonly #file: LockedFile;
  readonly #before: Side;

  private constructor(deps: Deps, file: LockedFile, before: Side) {
    this.#deps = deps;
    this.#file = file;
    this.#before = before;
    this.absolutePath = file.absolutePath;
  }

  static async open(deps: Deps, sessionId: string, located: Located): Promise<UnrecordedTarget> {
    const file = await lockOne(deps, sessionId, located.absolutePath);
    return new UnrecordedTarget(deps, file, sideOf(file.seen) ?? ABSENT);
  }

  before(): Uint8Array | null {
    return bytesBefore(this.#file, this.#before);
  }

  async write(value: Uint8Array | string, options: { mode?: number } = {}): Promise<void> {
    await this.#publish(await nextFile(this.#deps, value, options.mode));
  }

  async remove(): Promise<void> {
    if (this.#file.seen.at === 'absent') return;
    await this.#publish({ at: 'absent' });
  }

  async #publish(next: Next): Promise<void> {
    const result = await guardedPublish(this.#file, next, nothing);
    if ('error' in result) throw result.error;
    await this.#file.look();
  }

  async release(): Promise<void> {
    await this.#file.release();
  }
}

async function nothing(): Promise<void> {
  // No record, so nothing to announce.
}

function ignoreTold(): void {
  // The caller of that write has the error.
}
