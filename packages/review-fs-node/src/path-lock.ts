import type { Lock, LockProvider } from '@backstitch/durable-node';
import { sha256 } from '@backstitch/durable-node';
import type { Busy, LockHolder, Refused } from '@backstitch/review-core';
import type { DirHandle } from './dir-handle.ts';
import type { Ground } from './locked-file.ts';
import { flipCase, foldCase, type Place } from './path-guard.ts';
import { type Parent, walkTo } from './walk.ts';

/**
 * Path locks: one holder for one place on disk, over all processes, workspaces and stores of this user.
 *
 * The key is made of the directory's identity and not of its path, so that nested roots and other spellings meet.
 * It can change (a parent is made, a directory is renamed), so it is computed again when it was acquired.
 */

/** The key of what `name` is below its deepest existing parent. */
export function lockKey(parent: Parent, name: string, rootFolds: boolean): string {
  const rest = [...parent.missing, name].join('/');
  const folds = foldsIn(parent.dir, parent.missing[0] ?? name) ?? rootFolds;
  return sha256(
    Buffer.from(
      JSON.stringify([String(parent.dir.dev), String(parent.dir.ino), folds ? foldCase(rest) : rest]),
    ),
  );
}

/** Whether a directory folds case, told by an existing name in it; null where this name can't tell. */
function foldsIn(dir: DirHandle, name: string): boolean | null {
  const flipped = flipCase(name);
  if (flipped === name) return null;
  const here = dir.lstat(name);
  if (!here) return null;
  const there = dir.lstat(flipped);
  return there !== null && here.dev === there.dev && here.ino === there.ino;
}

/** A lock that several files may share (spellings that fold to one key); let go with the last of them. */
export class SharedLock {
  readonly key: string;
  readonly #lock: Lock;
  #shares = 0;
  #held = true;

  constructor(lock: Lock) {
    this.key = lock.key;
    this.#lock = lock;
  }

  share(): this {
    this.#shares += 1;
    return this;
  }

  holds(): boolean {
    return this.#held && this.#lock.holds();
  }

  release(): void {
    this.#shares -= 1;
    if (this.#shares <= 0) this.drop();
  }

  /** Whoever shares it: all of them lose it. */
  drop(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#lock.release();
  }
}

export interface LockedPlace {
  place: Place;
  /** Open; whoever gets it closes it. */
  parent: Parent;
  lock: SharedLock;
}

/** How often keys that changed under us are computed again, before the path counts as busy. */
const ROUNDS = 5;

/** Locks all places, or none. The answer is in the order of `places`. */
export async function lockPlaces(
  ground: Ground,
  places: readonly Place[],
  timeoutMs: number,
): Promise<LockedPlace[] | Busy | Refused> {
  const until = performance.now() + timeoutMs;
  for (let round = 0; round < ROUNDS; round += 1) {
    const wanted = keysOf(ground, places);
    if ('refused' in wanted) return wanted;
    const held = await acquireAll(ground.locks, new Map(wanted.map(({ key, path }) => [key, path])), until);
    if ('busy' in held) return held;
    let verified: ReturnType<typeof verify> = null;
    try {
      verified = verify(ground, places, held);
    } finally {
      // Also where the walk threw: nobody else could let them go.
      if (!Array.isArray(verified)) dropAll(held);
    }
    if (verified !== null) return verified;
  }
  // Somebody keeps moving the directories about.
  return busyPath(places[0]!.path, null);
}

function keysOf(ground: Ground, places: readonly Place[]): { key: string; path: string }[] | Refused {
  const keys: { key: string; path: string }[] = [];
  for (const place of places) {
    const parent = walkTo(ground.system, place);
    if ('refused' in parent) return parent;
    try {
      keys.push({ key: keyAt(ground, place, parent), path: place.path });
    } finally {
      parent.dir.close();
    }
  }
  return keys;
}

function keyAt(ground: Ground, place: Place, parent: Parent): string {
  return lockKey(parent, place.segments.at(-1)!, ground.foldsCase);
}

/** Null: a directory was made or moved while we waited, so that some place has another key now. */
function verify(
  ground: Ground,
  places: readonly Place[],
  held: ReadonlyMap<string, SharedLock>,
): LockedPlace[] | Refused | null {
  const locked: LockedPlace[] = [];
  const parents: Parent[] = [];
  try {
    for (const place of places) {
      const parent = walkTo(ground.system, place);
      if ('refused' in parent) return parent;
      parents.push(parent);
      const lock = held.get(keyAt(ground, place, parent));
      if (!lock) return null;
      locked.push({ place, parent, lock });
    }
    return locked;
  } finally {
    if (locked.length < places.length) for (const { dir } of parents) dir.close();
  }
}

/** All or none, in the order of the keys, waiting for all of them together until `until`. */
async function acquireAll(
  locks: LockProvider,
  wanted: ReadonlyMap<string, string>,
  until: number,
): Promise<Map<string, SharedLock> | Busy> {
  const held = new Map<string, SharedLock>();
  try {
    for (const key of [...wanted.keys()].sort()) {
      const left = Math.max(0, Math.round(until - performance.now()));
      const lock = await locks.acquire(key, { timeoutMs: left });
      if ('busy' in lock) {
        dropAll(held);
        return busyPath(wanted.get(key)!, holderOf(lock.holder, lock.generation));
      }
      held.set(key, new SharedLock(lock));
    }
    return held;
  } catch (error) {
    // The lock directory can't be used (full disk, no permission): nothing stays taken.
    dropAll(held);
    throw error;
  }
}

function dropAll(held: ReadonlyMap<string, SharedLock>): void {
  for (const lock of held.values()) lock.drop();
}

function busyPath(path: string, holder: LockHolder | null): Busy {
  return { busy: true, what: 'path', path, holder };
}

/** Owner records are read from disk: whatever does not fit is null. */
function holderOf(owner: unknown, generation: number): LockHolder {
  const record = (typeof owner === 'object' && owner !== null ? owner : {}) as Record<string, unknown>;
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return {
    pid: typeof record.pid === 'number' ? record.pid : null,
    app: text(record.app),
    hostId: text(record.hostId),
    generation,
  };
}
