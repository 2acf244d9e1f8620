import { errnoOf } from '@backstitch/durable-node';
import { type FileState, type Next, ReviewError } from '@backstitch/review-core';
import { type DirHandle, type Ident, sameIdent } from './dir-handle.ts';
import type { System } from './system.ts';

export type Content = Exclude<Next, { at: 'absent' }>;

export interface Owner {
  uid: bigint;
  gid: bigint;
}

export interface NewEntry {
  content: Content;
  state: FileState;
  /** Of the file that it replaces; null: whoever runs this. */
  owner: Owner | null;
  /** For messages. */
  shown: string;
}

/**
 * Makes a file or a link under a name that nothing stands at, whole and synced, or not at all. EEXIST is thrown
 * as it comes. Mode and owner are set by the handle, never by the path: a path may be a link by then.
 */
export async function writeNew(
  system: System,
  dir: DirHandle,
  name: string,
  entry: NewEntry,
): Promise<Ident> {
  const { content, state, owner, shown } = entry;
  if (content.at === 'symlink') {
    dir.symlink(content.bytes, name);
    return identAt(dir, name);
  }
  const { calls } = system;
  const fd = dir.createFile(name);
  const made = calls.fstat(fd);
  try {
    calls.write(fd, content.bytes);
    // Before the mode: changing the owner takes set-id bits away.
    if (owner && (owner.uid !== made.uid || owner.gid !== made.gid)) giveTo(system, fd, owner, shown);
    calls.fchmod(fd, state.mode);
    await calls.fsync(fd);
    return made;
  } catch (error) {
    // Disk full, quota, I/O error: what was begun goes, if it still is what we made.
    if (sameIdent(dir.lstat(name), made)) dir.unlink(name);
    throw error;
  } finally {
    calls.close(fd);
  }
}

function giveTo(system: System, fd: number, owner: Owner, shown: string): void {
  try {
    system.calls.fchown(fd, Number(owner.uid), Number(owner.gid));
  } catch (error) {
    if (errnoOf(error) !== 'EPERM') throw error;
    const message =
      `${JSON.stringify(shown)} belongs to another user or group, and replacing it would silently make it yours ` +
      '(EPERM). Change its owner, or run this as its owner.';
    throw new ReviewError('fileFailed', message, { path: shown, errno: 'EPERM', cause: error });
  }
}

function identAt(dir: DirHandle, name: string): Ident {
  const stats = dir.lstat(name);
  if (!stats) throw Object.assign(new Error('It was removed right after it was made.'), { code: 'ENOENT' });
  return stats;
}
