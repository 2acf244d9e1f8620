/**
 * What the members of a record must say of each other. The types can't say it; the guard and the schema both
 * ask here. Each function answers null, or a reason. The members are known to have their types.
 */
import { hunkHeader } from '../text/header.ts';
import { linesOfRuns } from '../text/runs.ts';
import type { ReviewChange, ReviewHunk } from './v1.ts';

export function changeFault(change: ReviewChange): string | null {
  const { status, before, after } = change;
  if (status === 'added' && before !== null) return '.status is added, but there was something before';
  if (status === 'modified' && before === null) return '.status is modified, but there was nothing before';
  if (status === 'deleted' && (before === null || after !== null)) {
    return '.status is deleted, but before and after say otherwise';
  }
  if (change.reversible !== (change.irreversibleReason === null)) {
    return '.irreversibleReason does not fit .reversible';
  }
  if (change.reversible && change.scope !== 'workspace') return '.reversible is true outside the workspace';
  return null;
}

/** Above all: a hunk whose counts don't fit its lines is none, whatever would be made of it. */
export function hunkFault(hunk: ReviewHunk): string | null {
  const counts = { ' ': 0, '-': 0, '+': 0, '\\': 0 };
  let last = '\\';
  for (const line of hunk.lines) {
    const mark = line[0] as keyof typeof counts;
    if (mark === '\\' && last === '\\') return '.lines has a marker that follows no line';
    counts[mark]++;
    last = mark;
  }
  if (hunk.oldLines !== counts[' '] + counts['-']) return '.oldLines does not fit its lines';
  if (hunk.newLines !== counts[' '] + counts['+']) return '.newLines does not fit its lines';
  if (counts['-'] + counts['+'] === 0) return '.lines has no change';
  if (hunk.oldLines > 0 && hunk.oldStart === 0) return '.oldStart is 0, but the hunk has old lines';
  if (hunk.newLines > 0 && hunk.newStart === 0) return '.newStart is 0, but the hunk has new lines';
  if (hunk.header !== hunkHeader(hunk)) return '.header does not fit its numbers';
  if (hunk.runs.length !== linesOfRuns(hunk.lines).length) return '.runs does not fit its lines';
  return null;
}
