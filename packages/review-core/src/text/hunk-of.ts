import type { ReviewHunk, RunId } from '../record/v1.ts';
import { hunkHeader } from './header.ts';

/** Number of lines of the before, and of the after, that stand above. */
export interface Above {
  old: number;
  now: number;
}

/** A hunk of marked lines, with the numbers and the header that fit them. */
export function hunkOf(above: Above, lines: string[], runs: RunId[]): ReviewHunk {
  let oldLines = 0;
  let newLines = 0;
  for (const line of lines) {
    if (line[0] === ' ' || line[0] === '-') oldLines++;
    if (line[0] === ' ' || line[0] === '+') newLines++;
  }
  const range = {
    oldStart: oldLines === 0 ? above.old : above.old + 1,
    oldLines,
    newStart: newLines === 0 ? above.now : above.now + 1,
    newLines,
  };
  return { header: hunkHeader(range), ...range, lines, runs };
}
