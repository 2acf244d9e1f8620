import { ReviewError } from '@backstitch/review-core';
import type { Row } from './fold.ts';

/**
 * Paging over rows. A cursor names one row by its offset, which no append ever moves: so a page that was asked
 * for twice is the same twice, and pages joined at their cursors miss no line and repeat none.
 *
 * @since 0.1.0
 */

export interface WindowRequest {
  /** Lines older than this cursor. Null is the same as none. */
  before?: string | null;
  /** Lines newer than this cursor. Not together with `before`. */
  after?: string | null;
  /** At most this many lines; an integer from 1. */
  limit: number;
}

export interface WindowCursors {
  /** For `before`: null where nothing is older. */
  prevCursor: string | null;
  /** For `after`: null where nothing is newer yet. */
  nextCursor: string | null;
  /** For `after`, later: whatever will be appended behind this page. Never null. */
  endCursor: string;
}

/**
 * The rows of a page, oldest first; without a cursor the newest ones.
 *
 * @param tag names the file that the rows are of: a cursor of another file is expired
 * @throws ReviewError `invalidArgument`, `cursorExpired`
 */
export function selectWindow(
  rows: readonly Row[],
  tag: string,
  request: WindowRequest,
): WindowCursors & { rows: Row[] } {
  const [from, to] = pickRange(rows, tag, checkRequest(request));
  const first = rows[from];
  const last = rows[to - 1];
  return {
    rows: rows.slice(from, to),
    prevCursor: from > 0 && first !== undefined ? encodeCursor(tag, first.offset) : null,
    nextCursor: to < rows.length ? encodeCursor(tag, last?.offset ?? START) : null,
    endCursor: encodeCursor(tag, last?.offset ?? START),
  };
}

/** Stands before the first row, whatever its offset. */
const START = -1;

function pickRange(rows: readonly Row[], tag: string, request: WindowRequest): [number, number] {
  const { limit } = request;
  if (request.after != null) {
    const from = decodeCursor(rows, tag, request.after) + 1;
    return [from, Math.min(rows.length, from + limit)];
  }
  const to = request.before == null ? rows.length : Math.max(0, decodeCursor(rows, tag, request.before));
  return [Math.max(0, to - limit), to];
}

function checkRequest(request: WindowRequest): WindowRequest {
  if (!Number.isSafeInteger(request.limit) || request.limit < 1) {
    throw new ReviewError(
      'invalidArgument',
      `A window's limit is an integer from 1, not ${String(request.limit)}.`,
    );
  }
  if (request.before != null && request.after != null) {
    throw new ReviewError('invalidArgument', 'A window takes `before` or `after`, not both: leave one out.');
  }
  return request;
}

function encodeCursor(tag: string, offset: number): string {
  return `${tag}.${offset}`;
}

/** The index of the row that a cursor names; -1 for the start. */
function decodeCursor(rows: readonly Row[], tag: string, cursor: unknown): number {
  const parts = typeof cursor === 'string' ? /^([^.]+)\.(-1|\d{1,16})$/.exec(cursor) : null;
  if (parts === null) {
    throw new ReviewError('invalidArgument', 'A window takes only cursors that an earlier window answered.');
  }
  const offset = Number(parts[2]);
  const index = offset === START ? START : indexOfOffset(rows, offset);
  if (index === null || (parts[1] !== tag && index !== START)) {
    const why = 'The cursor is of a transcript that was rewritten meanwhile: read again without a cursor.';
    throw new ReviewError('cursorExpired', why);
  }
  return index;
}

function indexOfOffset(rows: readonly Row[], offset: number): number | null {
  let low = 0;
  let high = rows.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = rows[middle]!.offset;
    if (at === offset) return middle;
    if (at < offset) low = middle + 1;
    else high = middle - 1;
  }
  return null;
}
