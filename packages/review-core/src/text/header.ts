/** The line that says of the line before it that it ends without an LF. */
export const NO_NEWLINE = '\\ No newline at end of file';

/** Where a hunk lies: first lines are 1-based, and the line before the gap on a side without lines. */
export interface HunkRange {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
}

/** `@@ -1,2 +1,3 @@`, with a count of 1 left out, as git does. */
export function hunkHeader(range: HunkRange): string {
  return `@@ -${span(range.oldStart, range.oldLines)} +${span(range.newStart, range.newLines)} @@`;
}

function span(start: number, lines: number): string {
  return lines === 1 ? `${start}` : `${start},${lines}`;
}
