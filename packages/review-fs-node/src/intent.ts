import type { FileIntent, Refused } from '@backstitch/review-core';
import { ReviewError } from '@backstitch/review-core';
import { isWorkingName } from './names.ts';
import { type GuardOptions, type Place, placeIn, refuse } from './path-guard.ts';

/**
 * An intent comes from a journal on disk, and is input: its path goes through the guard again, and only names
 * that this package could have chosen are ever removed.
 */
export function checkIntent(intent: FileIntent, guard: GuardOptions): Place | Refused {
  const { root, path, temp, displaced, madeDirs } = intent;
  if (![root, path, temp, displaced].every((each) => typeof each === 'string') || !Array.isArray(madeDirs)) {
    throw new ReviewError('invalidArgument', 'This is no intent of a file: members are missing.');
  }
  const names = [temp, displaced];
  if (!names.every((name) => isWorkingName(name, guard.rules)) || temp === displaced) {
    return refuse(
      'invalidName',
      path,
      `its intent names working files that are none (${JSON.stringify(names)}).`,
    );
  }
  const home = guard.roots.find((each) => each.root === root);
  if (!home) return refuse('outsideRoot', path, `${JSON.stringify(root)} is no root of this workspace.`);
  if (path === '') return refuse('rootItself', path, 'a root is never a target.');
  const segments = path.split('/');
  if (names.includes(segments.at(-1)!))
    return refuse('invalidName', path, 'its intent names it as a working file.');
  return placeIn(home, segments, path, guard.rules);
}
