import { errnoOf } from '@backstitch/durable-node';
import type { Place } from './path-guard.ts';
import type { System } from './system.ts';
import { walkTo } from './walk.ts';

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
