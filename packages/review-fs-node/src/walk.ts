import { errnoOf } from '@backstitch/durable-node';
import type { Refused } from '@backstitch/review-core';
import { DirHandle, sameIdent } from './dir-handle.ts';
import { fileFailed } from './file-failure.ts';
import { type Place, type Root, refuse } from './path-guard.ts';
import type { System } from './system.ts';

/** The deepest parent of a place that exists, open. The caller closes `dir`. */
export interface Parent {
  dir: DirHandle;
  /** Names of the parents below `dir` that do not exist, outermost first. */
  missing: string[];
}

/** Opens one parent after the other, from the root, and follows no link. */
export function walkTo(system: System, place: Place): Parent | Refused {
  const root = openHome(system, place.home, place.path);
  if ('refused' in root) return root;
  let dir = root;
  const parents = place.segments.slice(0, -1);
  for (const [at, name] of parents.entries()) {
    const shown = parents.slice(0, at + 1).join('/');
    const next = step(dir, name, place, shown);
    if (next === null) return whole(root, dir, at, place) ?? { dir, missing: parents.slice(at) };
    dir.close();
    if ('refused' in next) return next;
    dir = next;
  }
  return whole(root, dir, parents.length, place) ?? { dir, missing: [] };
}

/** Opens a root and compares it with what was there when the workspace was opened. */
export function openHome(system: System, home: Root, given: string): DirHandle | Refused {
  let root: ReturnType<typeof DirHandle.openRoot>;
  try {
    root = DirHandle.openRoot(system, home.root);
  } catch (error) {
    return refusal(error, given, home.root);
  }
  if (root === 'missing') {
    return refuse('rootMissing', given, `the root ${home.root} is not there. Bring it back, then try again.`);
  }
  if (root instanceof DirHandle && sameIdent(root, home)) return root;
  if (root instanceof DirHandle) root.close();
  return refuse(
    'rootChanged',
    given,
    `${home.root} is not the directory that was opened. Open the workspace again.`,
  );
}

/** Null: not there. */
function step(dir: DirHandle, name: string, place: Place, shown: string): DirHandle | Refused | null {
  try {
    const next = dir.openDir(name);
    if (next === 'missing') return null;
    if (next === 'link') {
      return refuse(
        'link',
        place.path,
        `${shown} is a link, and links are not followed. Use the path it leads to.`,
      );
    }
    if (next === 'notADirectory') return refuse('notADirectory', place.path, `${shown} is not a directory.`);
    return next;
  } catch (error) {
    dir.close();
    return refusal(error, place.path, shown);
  }
}

/** A directory that was moved out while we walked would otherwise be written to where it is now. */
function whole(root: DirHandle, dir: DirHandle, depth: number, place: Place): Refused | null {
  if (dir.depthBelow(root) === depth) return null;
  dir.close();
  return refuse('outsideRoot', place.path, 'a parent was moved while it was opened. Look at the path again.');
}

/** What can't be resolved is refused, whatever the reason: only "not there" goes on. */
function refusal(error: unknown, given: string, shown: string): Refused {
  const errno = errnoOf(error);
  if (errno === 'EACCES' || errno === 'EPERM') {
    return refuse('denied', given, `${shown} can not be entered (${errno}). Give yourself permission to it.`);
  }
  if (errno === 'ENAMETOOLONG')
    return refuse('nameTooLong', given, `${shown} is too long for this file system.`);
  throw fileFailed(error, 'opened', shown);
}
