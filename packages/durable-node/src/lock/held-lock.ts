import { DurableError } from '../durable-error.ts';
import {
  LAST_GENERATION,
  type Look,
  look,
  makeLockDirectory,
  ownPath,
  prune,
  releasePath,
  removeFile,
} from './generations.ts';
import type { RecordFile } from './record-file.ts';
import type { Lock } from './types.ts';

/**
 * Links the record to the generation above `base`, which was seen to be free. Null: somebody else was quicker, or the
 * directory is not what it was; look again.
 */
export function takeGeneration(
  record: RecordFile,
  directory: string,
  base: number,
  above: number,
): number | null {
  const taken = claim(record, directory, base + 1, base);
  if (taken === null || taken > above) return taken;
  // The number may jump only while it is held: two contenders that jump to different numbers would both win.
  return claim(record, directory, above + 1, taken);
}

function claim(record: RecordFile, directory: string, generation: number, base: number): number | null {
  if (generation > LAST_GENERATION) throw tooHigh(directory);
  if (base === 0) makeLockDirectory(directory);
  if (record.linkTo(ownPath(directory, generation)) !== 'linked') return null;
  const second = look(directory);
  const isTop = second.top.generation === generation;
  // Released already: somebody broke it in this moment. That stays on record.
  if (isTop && stillShows(second, base)) return second.top.released ? null : generation;
  withdraw(directory, generation);
  return null;
}

/**
 * Only ever this provider's own record, and one that it never counted as held. There are two ways here: a slow
 * contender took a number that was pruned long ago, and a higher one exists; or the directory was taken away and made
 * anew between the two looks, so that the number means nothing in it.
 */
function withdraw(directory: string, generation: number): void {
  removeFile(ownPath(directory, generation));
}

function stillShows(second: Look, base: number): boolean {
  return base === 0 || second.names.some((name) => Number.parseInt(name, 10) === base);
}

function tooHigh(directory: string): DurableError {
  return new DurableError(
    'ioFailed',
    `The lock directory ${directory} holds the last number that there is. Remove it when nothing uses it.`,
    { path: directory },
  );
}

export function createHeldLock(
  record: RecordFile,
  directory: string,
  key: string,
  generation: number,
  free: () => void,
): Lock {
  let released = false;
  return {
    key,
    generation,
    holds() {
      if (released) return false;
      const { top } = look(directory);
      return top.generation === generation && !top.released;
    },
    release() {
      if (released) return;
      released = true;
      try {
        record.linkTo(releasePath(directory, generation));
        prune(directory, generation, look(directory).names);
      } catch (error) {
        // A full or broken disk. The work under the lock is done and must not be reported as failed: the next
        // acquire of this provider finds its own record at the top and knows that nobody holds it.
        if (!DurableError.isInstance(error)) throw error;
      } finally {
        free();
      }
    },
  };
}
