import type { ReviewHunk } from '../record/v1.ts';
import { LineCursor } from './cursor.ts';
import { hunkOf } from './hunk-of.ts';
import type { RunLines } from './runs.ts';
import { linesOfRuns } from './runs.ts';

/**
 * The same changes with less context: a hunk splits where its inner context is longer than twice the asked
 * lines, as git would have split it. Runs are never split, and keep their ids. Hunks with less context than is
 * asked for come back as they are.
 *
 * @param hunks hunks as stored, with 5 lines of context
 * @since 0.1.0
 */
export function hunksWithContext(hunks: readonly ReviewHunk[], lines: 1 | 3 | 5): ReviewHunk[] {
  return hunks.flatMap((hunk) => {
    const cursor = new LineCursor(hunk);
    let given = 0;
    return groupRuns(linesOfRuns(hunk.lines), lines).map((group) => {
      const from = Math.max(0, group[0]!.start - lines);
      const ids = hunk.runs.slice(given, given + group.length);
      given += group.length;
      const to = endOf(hunk.lines, group.at(-1)!.end, lines);
      return hunkOf(cursor.moveTo(from), hunk.lines.slice(from, to), ids);
    });
  });
}

/** Runs whose contexts touch or overlap share a hunk. */
function groupRuns(runs: readonly RunLines[], context: number): RunLines[][] {
  const groups: RunLines[][] = [];
  for (const run of runs) {
    const group = groups.at(-1);
    if (group !== undefined && run.start - group.at(-1)!.end <= 2 * context) group.push(run);
    else groups.push([run]);
  }
  return groups;
}

/** `context` lines behind `end`, with the marker that belongs to the last of them. */
function endOf(lines: readonly string[], end: number, context: number): number {
  const last = Math.min(end + context, lines.length);
  return lines[last]?.startsWith('\\') ? last + 1 : last;
}
