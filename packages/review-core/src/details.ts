import { resolveNumbers } from './limits.ts';
import { encodeUtf8 } from './platform.ts';
import type { ReviewChange, ReviewHunk } from './record/v1.ts';
import { RECORD_VERSION } from './record/v1.ts';
import { LineCursor } from './text/cursor.ts';
import { cutLine } from './text/cut.ts';
import { hunkOf } from './text/hunk-of.ts';
import { linesOfRuns } from './text/runs.ts';

/**
 * Bounds of the copy that a tool line carries. Each is an integer of at least 2.
 *
 * @since 0.1.0
 */
export interface DetailsLimits {
  /** UTF-8 bytes of all hunk lines together. */
  maxBytes: number;
  /** UTF-16 units of one line, its mark included. */
  maxLineLength: number;
}

export const DEFAULT_DETAILS_LIMITS: Readonly<DetailsLimits> = Object.freeze({
  maxBytes: 64 * 1024,
  maxLineLength: 2000,
});

/**
 * What a tool line carries for hosts that have only messages.
 *
 * @since 0.1.0
 */
export interface ReviewDetails {
  version: typeof RECORD_VERSION;
  change: ReviewChange;
  hunks: ReviewHunk[];
  /** Lines or parts of lines are missing from `hunks`; the store has them all. */
  truncated: boolean;
}

/**
 * A bounded copy of a change as plain JSON: a copy to show, never an authority to act on. Hunks come in order
 * until the bytes are used up, the last one cut between two lines; each still fits its header. A line that is
 * too long ends in `…`, on a whole character.
 *
 * @throws ReviewError `invalidArgument` for a limit that is no integer of at least 2
 * @since 0.1.0
 */
export function reviewDetails(
  change: ReviewChange,
  hunks: readonly ReviewHunk[],
  limits?: Partial<DetailsLimits>,
): ReviewDetails {
  const { maxBytes, maxLineLength } = resolveNumbers<DetailsLimits>(DEFAULT_DETAILS_LIMITS, limits, 2);
  const shown: ReviewHunk[] = [];
  let truncated = false;
  let left = maxBytes;
  for (const hunk of hunks) {
    const lines = hunk.lines.map((line) => cutLine(line, maxLineLength));
    const fitting = lines.slice(0, countFitting(lines, left));
    truncated ||= fitting.length < lines.length || lines.some((line, index) => line !== hunk.lines[index]);
    const part = withLines(hunk, fitting);
    if (part !== null) shown.push(part);
    if (fitting.length < lines.length) break;
    left -= sizeOf(lines);
  }
  return { version: RECORD_VERSION, change: copyOf(change, shown), hunks: shown, truncated };
}

/** How many of the lines `most` bytes hold. A marker stays with its line. */
function countFitting(lines: readonly string[], most: number): number {
  let used = 0;
  for (const [index, line] of lines.entries()) {
    used += sizeOf([line]);
    if (used > most) return line.startsWith('\\') ? index - 1 : index;
  }
  return lines.length;
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + encodeUtf8(line).length, 0);
}

/** The hunk with its first lines alone; null where no change is among them. */
function withLines(hunk: ReviewHunk, lines: string[]): ReviewHunk | null {
  const runs = linesOfRuns(lines);
  if (runs.length === 0) return null;
  return hunkOf(new LineCursor(hunk), lines, hunk.runs.slice(0, runs.length));
}

function copyOf(change: ReviewChange, shown: readonly ReviewHunk[]): ReviewChange {
  const runs = new Set(shown.flatMap((hunk) => hunk.runs));
  const copy: ReviewChange = JSON.parse(JSON.stringify(change));
  return { ...copy, keptRuns: copy.keptRuns.filter((run) => runs.has(run)) };
}
