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
  if (!isWorkingName(temp) || !isWorkingName(displaced) || temp === displaced) {
    const message = `The intent for ${JSON.stringify(path)} names working files that are none (${JSON.stringify(temp)}, ${JSON.stringify(displaced)}). Nothing was touched.`;
    throw new ReviewError('invalidArgument', message, { path });
  }
  const home = guard.roots.find((each) => each.root === root);
  if (!home) return refuse('outsideRoot', path, `${JSON.stringify(root)} is no root of this workspace.`);
  if (path === '') return refuse('rootItself', path, 'a root is never a target.');
  return placeIn(home, path.split('/'), path, guard.rules);
}
