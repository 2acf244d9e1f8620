/**
 * Lines to matches: makes the problem small before an algorithm sees it, without changing its answer.
 *
 * 1. Lines become integers, so that a comparison costs the same for a short and for a long line.
 * 2. The equal head and tail are cut off.
 * 3. Lines that stand on one side only are left out: they can never match, so the longest common sequence is
 *    the same without them. Two texts without a common line are answered here, whatever their size.
 * 4. Head and tail are cut off once more, since lines that now meet were apart before.
 */
import type { DiffAlgorithm, Match } from './algorithm.ts';

/** Lines that are still to be compared: their identities, and where they stand. */
interface Sequence {
  ids: number[];
  at: number[];
}

/** Collects equal lines in ascending order, and joins what is adjacent on both sides. */
class Matches {
  readonly list: Match[] = [];

  add(before: number, after: number): void {
    const last = this.list.at(-1);
    if (last !== undefined && last.before + last.length === before && last.after + last.length === after)
      last.length++;
    else this.list.push({ before, after, length: 1 });
  }
}

/** @returns undefined where the algorithm gave up */
export function matchLines(
  before: readonly string[],
  after: readonly string[],
  algorithm: DiffAlgorithm,
  maxEditLength: number,
): Match[] | undefined {
  if (before.length === 0 || after.length === 0) return [];
  let [old, now] = intern(before, after);
  const matches = new Matches();
  const tails: [before: number, after: number][] = [];
  [old, now] = trim(old, now, matches, tails);
  [old, now] = [only(old, new Set(now.ids)), only(now, new Set(old.ids))];
  [old, now] = trim(old, now, matches, tails);
  const middle = algorithm.match(old.ids, now.ids, maxEditLength);
  if (middle === undefined) return undefined;
  for (const match of middle) {
    for (let i = 0; i < match.length; i++) matches.add(old.at[match.before + i]!, now.at[match.after + i]!);
  }
  for (const [a, b] of tails.reverse()) matches.add(a, b);
  return matches.list;
}

function intern(before: readonly string[], after: readonly string[]): [Sequence, Sequence] {
  const known = new Map<string, number>();
  const sequence = (lines: readonly string[]): Sequence => {
    const ids = lines.map((line) => {
      const id = known.get(line) ?? known.size;
      if (id === known.size) known.set(line, id);
      return id;
    });
    return { ids, at: lines.map((_, index) => index) };
  };
  return [sequence(before), sequence(after)];
}

/** Moves the equal head to `matches` and the equal tail, from its end, to `tails`. */
function trim(
  old: Sequence,
  now: Sequence,
  matches: Matches,
  tails: [number, number][],
): [Sequence, Sequence] {
  const most = Math.min(old.ids.length, now.ids.length);
  let head = 0;
  while (head < most && old.ids[head] === now.ids[head]) {
    matches.add(old.at[head]!, now.at[head]!);
    head++;
  }
  let oldEnd = old.ids.length;
  let nowEnd = now.ids.length;
  while (oldEnd > head && nowEnd > head && old.ids[oldEnd - 1] === now.ids[nowEnd - 1]) {
    oldEnd--;
    nowEnd--;
    tails.push([old.at[oldEnd]!, now.at[nowEnd]!]);
  }
  return [slice(old, head, oldEnd), slice(now, head, nowEnd)];
}

function slice(sequence: Sequence, start: number, end: number): Sequence {
  return { ids: sequence.ids.slice(start, end), at: sequence.at.slice(start, end) };
}

function only(sequence: Sequence, known: ReadonlySet<number>): Sequence {
  const kept: Sequence = { ids: [], at: [] };
  for (const [index, id] of sequence.ids.entries()) {
    if (!known.has(id)) continue;
    kept.ids.push(id);
    kept.at.push(sequence.at[index]!);
  }
  return kept;
}
