import type { LockProvider } from '@backstitch/durable-node';
import type {
  Busy,
  Capabilities,
  FileIntent,
  Located,
  LockedFile,
  LockOptions,
  Refused,
  Scope,
  Seen,
  Settlement,
  Workspace,
} from '@backstitch/review-core';
import { isRefused, ReviewError } from '@backstitch/review-core';
import { probe } from './capabilities.ts';
import { fileFailed } from './file-failure.ts';
import { checkIntent } from './intent.ts';
import { openLocks } from './lock-directory.ts';
import { type Ground, NodeLockedFile } from './locked-file.ts';
import { lookAt } from './look.ts';
import { type GuardOptions, type Place, placeOf, type Root, toLocated } from './path-guard.ts';
import { type LockedPlace, lockPlaces } from './path-lock.ts';
import { openRoots } from './roots.ts';
import { settleFile } from './settle.ts';
import { detectSystem, type System } from './system.ts';
import { type Parent, walkTo } from './walk.ts';

export interface NodeWorkspaceOptions {
  /** An existing directory; a link to one is resolved once, now. */
  root: string;
  /** Directories whose changes are recorded and never rolled back. */
  scratchRoots?: readonly string[];
  /** Directories outside the workspace that the user approved. Their changes are evidence, never rolled back. */
  externalRoots?: readonly string[];
  /**
   * Where path locks lie, for all workspaces and stores of this user. Absolute, in no root and no root in it.
   * Default `.backstitch/locks` in the home that the password database names: a desktop application and a hook
   * see different environments, and must meet.
   */
  lockDirectory?: string;
}

const DEFAULT_CAP = 16 * 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 5000;
/** Recovery leaves alone what somebody holds, so it doesn't wait long for it. */
const SETTLE_TIMEOUT_MS = 500;

/**
 * Opens a workspace on real files. See the port in `@backstitch/review-core` for its calling sequence, and
 * `docs/design/guarded-restore.md` for what is promised on which system.
 *
 * @throws ReviewError `invalidArgument` (a root that is no directory), `storePlacement` (the lock directory and a
 * root lie in each other), `fileFailed`
 * @since 0.1.0
 */
export function openNodeWorkspace(options: NodeWorkspaceOptions): Promise<Workspace> {
  return openWorkspaceOn(detectSystem(), options);
}

/** The same on a given system; for this package's own tests. */
export async function openWorkspaceOn(system: System, options: NodeWorkspaceOptions): Promise<Workspace> {
  const roots = openRoots(options);
  const locks = await openLocks(options.lockDirectory, roots);
  const { capabilities, foldsCase } = await probe(system, roots[0]!.root, locks).catch((error: unknown) => {
    throw fileFailed(error, 'opened', roots[0]!.root);
  });
  return new NodeWorkspace(system, roots, locks, capabilities, foldsCase);
}

class NodeWorkspace implements Workspace {
  readonly root: string;
  readonly roots: readonly { root: string; scope: Scope }[];
  readonly capabilities: Capabilities;
  readonly #ground: Ground;
  readonly #guard: GuardOptions;

  constructor(
    system: System,
    roots: readonly Root[],
    locks: LockProvider,
    capabilities: Capabilities,
    foldsCase: boolean,
  ) {
    this.root = roots[0]!.root;
    this.roots = roots.map(({ root, scope }) => ({ root, scope }));
    this.capabilities = capabilities;
    this.#ground = { system, locks, foldsCase };
    this.#guard = {
      roots,
      rules: system.rules,
      foldsCase: foldsCase && capabilities.caseSensitive?.level === 'none',
    };
  }

  async locate(given: string): Promise<Located | Refused> {
    return this.#at(given, 'located', (place) => toLocated(place));
  }

  async read(given: string, cap: number = DEFAULT_CAP): Promise<Seen | Refused> {
    return this.#at(given, 'read', async (place, { dir, missing }): Promise<Seen> => {
      if (missing.length > 0) return { at: 'absent' };
      return (await lookAt(dir, place.segments.at(-1)!, cap, place.path)).seen;
    });
  }

  async lock(paths: readonly string[], options: LockOptions = {}): Promise<LockedFile[] | Busy | Refused> {
    if (paths.length === 0) return [];
    const places: Place[] = [];
    for (const given of paths) {
      const place = this.#place(given);
      if (isRefused(place)) return place;
      places.push(place);
    }
    const locked = await this.#lockPlaces(places, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    if (!Array.isArray(locked)) return locked;
    const files: NodeLockedFile[] = [];
    try {
      for (const { place, parent, lock } of locked) {
        files.push(await NodeLockedFile.open(this.#ground, place, parent, lock, options.cap ?? DEFAULT_CAP));
      }
      return files;
    } catch (error) {
      // One of them can't be read at all (the disk): all or none.
      for (const { lock } of locked) lock.drop();
      throw error;
    } finally {
      for (const { parent } of locked) parent.dir.close();
    }
  }

  async settle(intent: FileIntent): Promise<Settlement | Busy | Refused> {
    const place = checkIntent(intent, this.#guard);
    if (isRefused(place)) return place;
    const locked = await this.#lockPlaces([place], SETTLE_TIMEOUT_MS);
    if (!Array.isArray(locked)) return locked;
    const { parent, lock } = locked[0]!;
    try {
      return await settleFile({ system: this.#ground.system, place, parent, intent });
    } catch (error) {
      throw fileFailed(error, 'recovered', place.path);
    } finally {
      parent.dir.close();
      lock.drop();
    }
  }

  async #at<T>(
    given: string,
    what: string,
    use: (place: Place, parent: Parent) => T | Promise<T>,
  ): Promise<T | Refused> {
    const place = this.#place(given);
    if (isRefused(place)) return place;
    const parent = walkTo(this.#ground.system, place);
    if (isRefused(parent)) return parent;
    try {
      return await use(place, parent);
    } catch (error) {
      throw fileFailed(error, what, place.path);
    } finally {
      parent.dir.close();
    }
  }

  async #lockPlaces(places: readonly Place[], timeoutMs: number): Promise<LockedPlace[] | Busy | Refused> {
    try {
      return await lockPlaces(this.#ground, places, timeoutMs);
    } catch (error) {
      // The lock directory or the path's own directory refused: a full disk, an I/O error.
      throw fileFailed(error, 'locked', places[0]!.path);
    }
  }

  #place(given: string): Place | Refused {
    if (typeof given !== 'string') throw new ReviewError('invalidArgument', 'A path must be a string.');
    return placeOf(given, this.#guard);
  }
}
