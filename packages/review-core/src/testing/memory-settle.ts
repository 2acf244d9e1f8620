import type { FileIntent, Settlement } from '../ports/workspace.ts';
import type { FileState } from '../record/v1.ts';
import { removeEmpty, sameContent } from './memory-staged.ts';
import type { MemoryTree } from './memory-tree.ts';
import { parentOf, stateOf } from './memory-tree.ts';

/**
 * Recovery of one file, from what stands at the target and under the displaced name, in the order of this
 * table. `next` and `from` are those of the intent.
 *
 *   same file as displaced        unlink displaced, go on by the target
 *   next    none, or from         unlink displaced and temp                    done
 *   next    other bytes           put displaced back                           prior, foreignWrite
 *   absent  any (next not absent) put displaced back, whatever it holds        prior
 *   from    none, or from         unlink displaced and temp                    prior
 *   anything else                 touch nothing                                attention
 */
export async function settleFile(tree: MemoryTree, target: string, intent: FileIntent): Promise<Settlement> {
  const place = `${parentOf(target)}/${intent.displaced}`;
  if (tree.get(place) !== undefined && tree.get(place) === tree.get(target)) tree.unlink(place);
  const now = await stateOf(tree.get(target));
  const aside = await stateOf(tree.get(place));
  const known = isState(tree, target, now) && isState(tree, place, aside);
  const asideIsFrom = aside === null || same(aside, intent.from, intent);
  if (known && same(now, intent.to, intent)) {
    if (asideIsFrom) return end(tree, target, intent, 'done');
    putBack(tree, place, target, intent);
    return end(tree, target, intent, 'prior', 'foreignWrite');
  }
  if (known && now === null && intent.to !== null && aside !== null) {
    tree.rename(place, target);
    return end(tree, target, intent, 'prior');
  }
  if (known && same(now, intent.from, intent) && asideIsFrom) return end(tree, target, intent, 'prior');
  const message = `${intent.path} is neither what it was nor what it was to be: compare it with ${intent.displaced}`;
  return { result: 'attention', reason: null, message, target: now, displaced: aside };
}

/** Whether `state` tells all: a directory or a device has none, and is not absent. */
function isState(tree: MemoryTree, path: string, state: FileState | null): boolean {
  return state !== null || tree.get(path) === undefined;
}

/** Where both ends hold the same bytes, they differ by their mode. */
function same(a: FileState | null, b: FileState | null, { from, to }: FileIntent): boolean {
  const byMode = sameContent(from, to) && from !== null;
  return sameContent(a, b) && (!byMode || a?.mode === b?.mode);
}

function putBack(tree: MemoryTree, place: string, target: string, intent: FileIntent): void {
  if (intent.to === null) {
    tree.link(place, target);
    tree.unlink(place);
  } else tree.rename(place, target);
}

async function end(
  tree: MemoryTree,
  target: string,
  intent: FileIntent,
  result: 'done' | 'prior',
  reason: 'foreignWrite' | null = null,
): Promise<Settlement> {
  for (const name of [intent.displaced, intent.temp]) {
    const path = `${parentOf(target)}/${name}`;
    if (tree.get(path) !== undefined) tree.unlink(path);
  }
  const state = await stateOf(tree.get(target));
  if (state === null) removeEmpty(tree, intent);
  const message = `${intent.path} is ${result === 'done' ? 'what it was to be' : 'as it was before'}`;
  return { result, reason, message, target: state, displaced: null };
}
