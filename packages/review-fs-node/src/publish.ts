import { errnoOf } from '@backstitch/durable-node';
import type { PublishResult } from '@backstitch/review-core';
import { type DirHandle, type Ident, sameIdent } from './dir-handle.ts';
import { lookAt, type Sight, sameBytes, stateOf } from './look.ts';
import type { System } from './system.ts';
import { type NewEntry, writeNew } from './write-new.ts';

/**
 * Publishing one file over what was seen.
 *
 * Purpose: the name goes from what was seen to what shall be, and a foreign write that races it is never lost.
 *
 * Sequence, for a file that replaces another: compare with what was seen → keep a second name (`displaced`) of it
 * → look at the inode once more → rename the temp over it → hash what was displaced. A foreign write in place
 * after the comparison shows in that hash, and is put back. A file that is new is linked in, so that nothing is
 * ever overwritten; one that shall go is renamed to `displaced` first and hashed there. Where the file system has
 * no hard links, the old file is taken away, verified, and the temp renamed to the free name: whole bytes at any
 * moment, or for a moment none, which recovery mends. (An exclusive copy would never overwrite, and could be torn.)
 *
 * Failure: a conflict leaves the target as it was found. Where that can't be done without losing bytes, both
 * copies stand and the answer is `attention`. System errors are thrown; the target is then untouched.
 *
 * What remains: a foreign *rename* onto the target between the last look and our rename is not seen; without hard
 * links, neither is a file that is made there in that moment.
 */

/** Enough to hash small files in one read; above it the digest is streamed. */
export const VERIFY_CAP: number = 1024 * 1024;

export type Conflict = Extract<PublishResult, { published: false }>;
type Attention = Extract<PublishResult, { published: 'attention' }>;
/** `id`: the inode that stands at the target now; null where nothing shall stand there. */
export type Published = { published: true; id: Ident | null } | Conflict | Attention;

export interface Publication {
  system: System;
  dir: DirHandle;
  name: string;
  temp: string;
  displaced: string;
  /** For messages: the path. */
  shown: string;
  /** What the caller decided upon. */
  sight: Sight;
  /** What was written to `temp`; null where nothing shall stand at the name. */
  entry: NewEntry | null;
  tempId: Ident | null;
  /** Whether the lock is held and the directory stands where it stood. Called right before each change. */
  gate(): Conflict | null;
}

export async function publish(given: Publication): Promise<Published> {
  const resized = compareSize(given);
  if (resized) return resized;
  const now = await lookAt(given.dir, given.name, VERIFY_CAP, given.shown);
  const stop = compare(given, now) ?? given.gate();
  if (stop) return stop;
  // A program may have rewritten it with the same bytes: from here on it is this inode that must stand there.
  const p = { ...given, sight: now };
  const there = now.seen.at !== 'absent';
  if (p.entry === null) return there ? remove(p) : { published: true, id: null };
  return there ? replace(p, p.entry) : create(p, p.entry);
}

/** Spares hashing what may be endless. */
function compareSize(p: Publication): Conflict | null {
  const stats = p.sight.seen.at === 'file' ? p.dir.lstat(p.name) : null;
  if (!stats?.isFile() || Number(stats.size) === stateOf(p.sight)?.size) return null;
  return conflict(p, 'changedOnDisk', 'it was changed meanwhile');
}

/** What differs from what was seen: kind, size, digest, mode or owner. */
function compare(p: Publication, now: Sight): Conflict | null {
  const [was, is] = [p.sight.seen, now.seen];
  if (is.at === 'absent')
    return was.at === 'absent' ? null : conflict(p, 'deleted', 'it was removed meanwhile');
  if (is.at === 'unsupported') {
    const transient = is.what === 'changing' || is.what === 'unreadable';
    return conflict(p, transient ? 'changedOnDisk' : 'replacedKind', is.message);
  }
  if (is.at !== (was.at === 'absent' ? 'file' : was.at))
    return conflict(p, 'replacedKind', `it is a ${is.at} now`);
  if (was.at === 'absent') return conflict(p, 'changedOnDisk', 'something stands there now');
  if (!sameState(now, p.sight)) return conflict(p, 'changedOnDisk', 'it was changed meanwhile');
  return sameOwner(p) ? null : conflict(p, 'changedOnDisk', 'it has another owner now');
}

/** The temp was given the owner of what was there when it was written. */
function sameOwner(p: Publication): boolean {
  if (p.tempId === null || p.entry?.content.at !== 'file') return true;
  const [ours, theirs] = [p.dir.lstat(p.temp), p.dir.lstat(p.name)];
  return ours?.uid === theirs?.uid && ours?.gid === theirs?.gid;
}

function sameState(a: Sight, b: Sight): boolean {
  const [x, y] = [stateOf(a), stateOf(b)];
  return sameBytes(x, y) && x?.mode === y?.mode;
}

function isSame(a: Sight, b: Sight): boolean {
  return sameIdent(a.id, b.id) && sameState(a, b);
}

export function conflict(p: Pick<Publication, 'shown'>, reason: Conflict['reason'], what: string): Conflict {
  const message = `${JSON.stringify(p.shown)} was left as it is: ${what}. Look at it, then decide again.`;
  return { published: false, reason, message };
}

async function replace(p: Publication, entry: NewEntry): Promise<Published> {
  const linked = keepLink(p, entry);
  if (linked === 'gone') return conflict(p, 'deleted', 'it was removed meanwhile');
  if (linked === 'no') return takeAndMake(p, entry);
  if (!sameIdent(p.dir.lstat(p.displaced), p.sight.id)) {
    p.dir.unlink(p.displaced);
    return conflict(p, 'changedOnDisk', 'another file took its name meanwhile');
  }
  const stop = p.gate() ?? lookOnce(p);
  if (stop) {
    p.dir.unlink(p.displaced);
    return stop;
  }
  try {
    p.dir.rename(p.temp, p.name);
  } catch (error) {
    // EIO may be told of a rename that happened. EBUSY, EXDEV (a mount on the file) and the like: it did not.
    if (!sameIdent(p.dir.lstat(p.name), p.tempId)) {
      if (sameIdent(p.dir.lstat(p.name), p.sight.id)) p.dir.unlink(p.displaced);
      throw error;
    }
  }
  const kept = await lookAt(p.dir, p.displaced, VERIFY_CAP, p.shown);
  return isSame(kept, p.sight) ? { published: true, id: p.tempId } : giveBack(p, p.tempId);
}

/** The last look, as close to the rename as it gets. */
function lookOnce(p: Publication): Conflict | null {
  const stats = p.dir.lstat(p.name);
  if (stats === null) return conflict(p, 'deleted', 'it was removed meanwhile');
  return sameIdent(stats, p.sight.id)
    ? null
    : conflict(p, 'changedOnDisk', 'another file took its name meanwhile');
}

async function create(p: Publication, entry: NewEntry): Promise<Published> {
  const id = await occupy(p, entry);
  // Somebody made it between our look and now: theirs stands.
  return id ? { published: true, id } : conflict(p, 'changedOnDisk', 'something was made there meanwhile');
}

/** Puts what was written under the free name; null where it is not free any more. */
async function occupy(p: Publication, entry: NewEntry): Promise<Ident | null> {
  try {
    if (entry.content.at === 'symlink' && !p.system.linksLinks) {
      return await writeNew(p.system, p.dir, p.name, entry);
    }
    if (tryLink(p.dir, p.temp, p.name)) return p.tempId;
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    return null;
  }
  return renameToFree(p.dir, p.temp, p.name) ? p.tempId : null;
}

async function remove(p: Publication): Promise<Published> {
  const stop = p.gate() ?? lookOnce(p);
  if (stop) return stop;
  return (await take(p)) ?? { published: true, id: null };
}

/** Without hard links: for a moment nothing stands at the name. */
async function takeAndMake(p: Publication, entry: NewEntry): Promise<Published> {
  const stop = p.gate() ?? lookOnce(p) ?? (await take(p));
  if (stop) return stop;
  try {
    const id = await occupy(p, entry);
    if (id) return { published: true, id };
  } catch (error) {
    // No permission, a broken disk: the old file comes back.
    putBack(p.system, p.dir, p.displaced, p.name);
    throw error;
  }
  // Somebody took the free name: what was displaced is what was seen, and is in the caller's store.
  p.dir.unlink(p.displaced);
  return conflict(p, 'foreignWrite', 'something else was made there meanwhile, and stands');
}

/** Moves the target aside and verifies there what was moved. Null: it is what was seen. */
async function take(p: Publication): Promise<Published | null> {
  let taken: Sight;
  try {
    p.dir.rename(p.name, p.displaced);
    taken = await lookAt(p.dir, p.displaced, VERIFY_CAP, p.shown);
  } catch (error) {
    // What can't be verified is not ours to take; an EIO may be told of a rename that happened.
    if (p.dir.lstat(p.displaced) !== null) putBack(p.system, p.dir, p.displaced, p.name);
    if (errnoOf(error) !== 'ENOENT') throw error;
    return conflict(p, 'deleted', 'it was removed meanwhile');
  }
  return isSame(taken, p.sight) ? null : giveBack(p, null);
}

/** What was displaced is not what was seen: it gets its name back, unless that is foreign by now, too. */
async function giveBack(p: Publication, ours: Ident | null): Promise<Conflict | Attention> {
  const stands = p.dir.lstat(p.name);
  if (stands !== null && sameIdent(stands, ours)) {
    p.dir.rename(p.displaced, p.name);
  } else if (stands !== null || !putBack(p.system, p.dir, p.displaced, p.name)) {
    const message =
      `${JSON.stringify(p.shown)} was written twice by other programs meanwhile. Both copies stand: the newer one ` +
      `under its name, the older one as ${JSON.stringify(p.displaced)} beside it. Keep the one you want.`;
    return { published: 'attention', message, names: [p.displaced, p.name] };
  }
  await p.dir.sync();
  return conflict(p, 'foreignWrite', 'another program wrote to it meanwhile, and what it wrote was put back');
}

/** Gives an entry its name back without overwriting anything; false where the name is taken. */
export function putBack(system: System, dir: DirHandle, from: string, to: string): boolean {
  const stats = dir.lstat(from);
  try {
    if ((stats?.isFile() || (stats?.isSymbolicLink() && system.linksLinks)) && tryLink(dir, from, to)) {
      dir.unlink(from);
      return true;
    }
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
  // No hard links, or a directory that was moved aside in place of the file.
  return renameToFree(dir, from, to);
}

/** The look and the rename are two calls: the way where no link can do it in one. */
function renameToFree(dir: DirHandle, from: string, to: string): boolean {
  if (dir.lstat(to) !== null) return false;
  dir.rename(from, to);
  return true;
}

/** `no` where links can't be kept: `link()` would follow one, or the file system has none. */
function keepLink(p: Publication, entry: NewEntry): 'yes' | 'no' | 'gone' {
  const plain = p.sight.seen.at === 'file' && entry.content.at === 'file';
  if (!plain && !p.system.linksLinks) return 'no';
  try {
    return tryLink(p.dir, p.name, p.displaced) ? 'yes' : 'no';
  } catch (error) {
    // Somebody removed the target between our look and now.
    if (errnoOf(error) !== 'ENOENT') throw error;
    return 'gone';
  }
}

/** False where this file can't have a second name: no hard links here, too many, or another's file (EPERM). */
function tryLink(dir: DirHandle, existing: string, name: string): boolean {
  try {
    dir.link(existing, name);
    return true;
  } catch (error) {
    if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'].includes(errnoOf(error) ?? ''))
      return false;
    throw error;
  }
}
