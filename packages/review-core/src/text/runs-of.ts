import type { ReviewHunk, RunId } from '../record/v1.ts';
import { LineCursor } from './cursor.ts';
import { linesOfRuns } from './runs.ts';

/**
 * One run: adjacent removed and added lines, the unit of keep and undo inside a file.
 *
 * @since 0.1.0
 */
export interface Run {
  id: RunId;
  /** The lines' text, without their marks. */
  removed: string[];
  added: string[];
  /** Index of the hunk among those given. */
  hunk: number;
  /** Where it lies in the hunk's `lines`: from `start` up to, without, `end`. */
  start: number;
  end: number;
  /** 1-based line of each side at which it begins, or would begin where that side has no line of it. */
  oldLine: number;
  newLine: number;
}

/**
 * The runs of a change, in order. The hunks are whole: each names all of its runs, as a guard or schema made sure.
 *
 * @since 0.1.0
 */
export function runsOf(hunks: readonly ReviewHunk[]): Run[] {
  return hunks.flatMap((hunk, index) => {
    const cursor = new LineCursor(hunk);
    return linesOfRuns(hunk.lines).map((run, nth) => {
      const { old, now } = cursor.moveTo(run.start);
      return { id: hunk.runs[nth]!, ...run, hunk: index, oldLine: old + 1, newLine: now + 1 };
    });
  });
}
