/** The store holds copies of a person's files: it may lie in no tracked root, and no root in it. */
import { ReviewError } from '../errors.ts';
import type { ReviewStore } from '../ports/store.ts';
import type { Workspace } from '../ports/workspace.ts';

export function refuseNesting(store: ReviewStore, workspace: Workspace): void {
  const { directory } = store;
  if (directory === null) return;
  for (const { root } of workspace.roots) {
    if (!contains(root, directory) && !contains(directory, root)) continue;
    throw new ReviewError(
      'storePlacement',
      `The store '${directory}' and the root '${root}' lie in each other. Put the store somewhere else.`,
      { path: directory },
    );
  }
}

/** By segments: '/w/app' does not contain '/w/app-other'. */
function contains(outer: string, inner: string): boolean {
  const [out, inn] = [segments(outer), segments(inner)];
  return out.length <= inn.length && out.every((segment, index) => segment === inn[index]);
}

function segments(path: string): string[] {
  return path.split(/[\\/]/).filter((segment) => segment !== '');
}
