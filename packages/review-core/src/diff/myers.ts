import { diffArrays } from 'diff';
import type { DiffAlgorithm, Match } from './algorithm.ts';

/** The default: Myers' shortest edit script, as the package `diff` computes it. */
export const myers: DiffAlgorithm = {
  match(before, after, maxEditLength) {
    if (before.length === 0 || after.length === 0) return [];
    const parts = diffArrays([...before], [...after], { maxEditLength });
    return parts === undefined ? undefined : toMatches(parts);
  },
};

function toMatches(
  parts: readonly { added: boolean; removed: boolean; value: readonly number[] }[],
): Match[] {
  const matches: Match[] = [];
  let before = 0;
  let after = 0;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) matches.push({ before, after, length: value.length });
    if (!added) before += value.length;
    if (!removed) after += value.length;
  }
  return matches;
}
