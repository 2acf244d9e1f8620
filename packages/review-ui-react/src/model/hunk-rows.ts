import type { ReviewHunk } from '@backstitch/review-core';
import { hunksWithContext } from '@backstitch/review-core/evidence';
import type { ReviewLabels } from '../labels/types.ts';

/**
 * The rows of a diff, from stored hunks. Hunks come from a record, which is input: one that does not hold
 * together becomes one `unavailable` row, and the others are shown.
 *
 * The kind of a line is taken from its first character once, here, and is a field from then on: a line whose
 * own text looks like a diff is never read again.
 */

export type ContextLines = 1 | 3 | 5;

export type DiffRow = HunkRow | LineRow | NoNewlineRow | UnavailableRow;

export interface HunkRow {
  kind: 'hunk';
  header: string;
}

export interface LineRow {
  kind: 'context' | 'added' | 'deleted';
  oldLine: number | null;
  newLine: number | null;
  text: string;
}

/** The line above it has no newline behind it, on this side. */
export interface NoNewlineRow {
  kind: 'noNewline';
  side: 'before' | 'after' | 'both';
}

export interface UnavailableRow {
  kind: 'unavailable';
  reason: MalformedReason;
}

export type MalformedReason = Exclude<keyof ReviewLabels['hunk']['malformed'], 'view'>;

export function diffRows(hunks: readonly ReviewHunk[], context: ContextLines): DiffRow[] {
  const rows: DiffRow[] = [];
  let oldEnd = 0;
  let newEnd = 0;
  for (const hunk of hunks) {
    const reason = malformedBecause(hunk) ?? orderFault(hunk, oldEnd, newEnd);
    if (reason !== null) {
      rows.push({ kind: 'unavailable', reason });
      continue;
    }
    oldEnd = hunk.oldStart + hunk.oldLines;
    newEnd = hunk.newStart + hunk.newLines;
    for (const part of hunksWithContext([hunk], context)) appendHunk(rows, part);
  }
  return rows;
}

function orderFault(hunk: ReviewHunk, oldEnd: number, newEnd: number): MalformedReason | null {
  return hunk.oldStart < oldEnd || hunk.newStart < newEnd ? 'order' : null;
}

/** Null for a hunk that can be drawn. */
export function malformedBecause(hunk: unknown): MalformedReason | null {
  if (!isHunkShaped(hunk)) return 'shape';
  const seen = { ' ': 0, '-': 0, '+': 0, '\\': 0 };
  let last = '\\';
  for (const line of hunk.lines) {
    const sign = line[0];
    if (sign === undefined || !(sign in seen)) return 'lines';
    if (sign === '\\' && last === '\\') return 'marker';
    seen[sign as keyof typeof seen] += 1;
    last = sign;
  }
  const fits = seen[' '] + seen['-'] === hunk.oldLines && seen[' '] + seen['+'] === hunk.newLines;
  return fits ? null : 'counts';
}

function isHunkShaped(value: unknown): value is ReviewHunk {
  if (typeof value !== 'object' || value === null) return false;
  const hunk = value as Record<string, unknown>;
  const numbers = [hunk.oldStart, hunk.oldLines, hunk.newStart, hunk.newLines];
  return (
    typeof hunk.header === 'string' &&
    numbers.every((n) => Number.isSafeInteger(n) && (n as number) >= 0) &&
    Array.isArray(hunk.lines) &&
    hunk.lines.every((line) => typeof line === 'string')
  );
}

function appendHunk(rows: DiffRow[], hunk: ReviewHunk): void {
  rows.push({ kind: 'hunk', header: hunk.header });
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  for (const line of hunk.lines) {
    const text = line.slice(1);
    if (line.startsWith('+')) rows.push({ kind: 'added', oldLine: null, newLine: newLine++, text });
    else if (line.startsWith('-')) rows.push({ kind: 'deleted', oldLine: oldLine++, newLine: null, text });
    else if (line.startsWith('\\')) rows.push({ kind: 'noNewline', side: sideOf(rows.at(-1)) });
    else rows.push({ kind: 'context', oldLine: oldLine++, newLine: newLine++, text });
  }
}

function sideOf(row: DiffRow | undefined): NoNewlineRow['side'] {
  if (row?.kind === 'deleted') return 'before';
  return row?.kind === 'added' ? 'after' : 'both';
}
