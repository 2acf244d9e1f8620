import type { ReviewHunk } from '../record/v1.ts';
import { NO_NEWLINE } from '../text/header.ts';
import { hunkOf } from '../text/hunk-of.ts';
import type { Match } from './algorithm.ts';

/** Equal lines that a stored hunk shows around its changes. */
export const CONTEXT = 5;

/** Removed lines `[old, oldEnd)` of the before, replaced by `[now, nowEnd)` of the after. */
interface Edit {
  old: number;
  oldEnd: number;
  now: number;
  nowEnd: number;
}

/**
 * Hunks as git prints them. `skipped` equal lines stand in front of both sequences and only move the numbers.
 * `runs` is empty: run ids are given where the snapshot is known.
 */
export function toHunks(
  before: readonly string[],
  after: readonly string[],
  matches: readonly Match[],
  skipped: number,
): ReviewHunk[] {
  const edits = toEdits(before.length, after.length, matches);
  return groupEdits(edits).map((group) => toHunk(before, after, group, skipped));
}

function toEdits(oldLength: number, nowLength: number, matches: readonly Match[]): Edit[] {
  const edits: Edit[] = [];
  let old = 0;
  let now = 0;
  for (const match of [...matches, { before: oldLength, after: nowLength, length: 0 }]) {
    if (old < match.before || now < match.after) {
      edits.push({ old, oldEnd: match.before, now, nowEnd: match.after });
    }
    old = match.before + match.length;
    now = match.after + match.length;
  }
  return edits;
}

/** Edits whose contexts touch or overlap share a hunk. */
function groupEdits(edits: readonly Edit[]): Edit[][] {
  const groups: Edit[][] = [];
  for (const edit of edits) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && edit.old - last.oldEnd <= 2 * CONTEXT) group.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

function toHunk(
  before: readonly string[],
  after: readonly string[],
  edits: readonly Edit[],
  skipped: number,
): ReviewHunk {
  const first = edits[0]!;
  const last = edits.at(-1)!;
  const lead = Math.min(CONTEXT, first.old, first.now);
  const end = Math.min(last.oldEnd + CONTEXT, before.length);
  const lines: string[] = [];
  let old = first.old - lead;
  for (const edit of edits) {
    push(lines, ' ', before, old, edit.old);
    push(lines, '-', before, edit.old, edit.oldEnd);
    push(lines, '+', after, edit.now, edit.nowEnd);
    old = edit.oldEnd;
  }
  push(lines, ' ', before, old, end);
  return hunkOf({ old: skipped + first.old - lead, now: skipped + first.now - lead }, lines, []);
}

function push(lines: string[], mark: string, source: readonly string[], start: number, end: number): void {
  for (let i = start; i < end; i++) {
    const line = source[i]!;
    if (line.endsWith('\n')) lines.push(mark + line.slice(0, -1));
    else lines.push(mark + line, NO_NEWLINE);
  }
}
