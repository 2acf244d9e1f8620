import { errnoOf } from '@backstitch/durable-node';
import { ReviewError } from '@backstitch/review-core';
import { DirHandle } from './dir-handle.ts';
import type { Place } from './path-guard.ts';
import type { System } from './system.ts';
import { type Parent, walkTo } from './walk.ts';

/**
 * Makes the parents that are missing below an open one, which it closes. Each is made durable in its own parent
 * before anything is put in it. `made` takes the path of each at once, so that a failure knows what to remove.
 */
export async function makeParents(place: Place, parent: Parent, made: string[]): Promise<DirHandle> {
  let { dir } = parent;
  const depth = place.segments.length - 1 - parent.missing.length;
  for (const [at, name] of parent.missing.entries()) {
    const path = place.segments.slice(0, depth + at + 1).join('/');
    try {
      const next = await makeDir(dir, name, path, made);
      dir.close();
      dir = next;
    } catch (error) {
      dir.close();
      throw error;
    }
  }
  return dir;
}

async function makeDir(dir: DirHandle, name: string, path: string, made: string[]): Promise<DirHandle> {
  try {
    dir.mkdir(name);
    made.push(path);
  } catch (error) {
    // Somebody made it meanwhile; what it is, opening it tells.
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
  await dir.sync();
  const next = dir.openDir(name);
  if (next instanceof DirHandle) return next;
  throw new ReviewError(
    'pathRefused',
    `${path} is no directory any more (${next}). Look at it, then try again.`,
    { path },
  );
}

/** What says that a directory stays: not empty, in use, gone already, or not ours to remove. */
const STAYS = ['ENOTEMPTY', 'EEXIST', 'EBUSY', 'EACCES', 'EPERM', 'ENOTDIR', 'EROFS'];

/**
 * Removes directories that a change had made, innermost first, as far as they are empty. Never recursive: what
 * anybody put there keeps its directory. `dirs` are relative to the root, outermost first; those that are no
 * parents of the place are passed over.
 */
export async function removeEmptyDirs(system: System, place: Place, dirs: readonly string[]): Promise<void> {
  for (const path of [...dirs].reverse()) {
    const segments = path.split('/');
    const isParent =
      segments.length < place.segments.length && segments.every((name, at) => name === place.segments[at]);
    if (isParent && !(await removeEmptyDir(system, { ...place, segments, path }))) return;
  }
}

/** False where it stays. */
async function removeEmptyDir(system: System, place: Place): Promise<boolean> {
  const parent = walkTo(system, place);
  if ('refused' in parent) return false;
  try {
    if (parent.missing.length > 0) return true;
    parent.dir.rmdir(place.segments.at(-1)!);
    await parent.dir.sync();
    return true;
  } catch (error) {
    const errno = errnoOf(error) ?? '';
    // Removed by somebody already: the one above may be empty.
    if (errno === 'ENOENT') return true;
    if (STAYS.includes(errno)) return false;
    throw error;
  } finally {
    parent.dir.close();
  }
}
