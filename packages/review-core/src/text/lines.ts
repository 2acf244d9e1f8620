/**
 * Lines. Only LF ends a line: CR, FF, U+2028 and their like are content. A line carries its LF, so that a last
 * line without one differs from the same line with one.
 */

export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end + 1;
    lines.push(text.slice(start, next));
    start = next;
  }
  return lines;
}

export function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** The part of two texts in which they differ, with some equal lines around it. */
export interface Window {
  /** Lines before the window, the same in both texts. */
  skipped: number;
  before: string[];
  after: string[];
}

/**
 * Cuts the equal head and tail away before anything is split into lines, so that a small change in a large
 * text costs a scan and no more. `context` lines of both are left where they stand.
 */
export function differingWindow(before: string, after: string, context: number): Window {
  const head = commonHead(before, after);
  const tail = commonTail(before, after, head);
  const start = stepBack(before, head, context);
  return {
    skipped: countLines(before, start),
    before: splitLines(before.slice(start, stepOn(before, before.length - tail, context))),
    after: splitLines(after.slice(start, stepOn(after, after.length - tail, context))),
  };
}

/** Length of the equal whole lines at the front. */
function commonHead(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length === 0 ? 0 : a.lastIndexOf('\n', length - 1) + 1;
}

/** Length of the equal whole lines at the end that are not part of the head. */
function commonTail(a: string, b: string, head: number): number {
  const most = Math.min(a.length, b.length) - head;
  let length = 0;
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length))
    length++;
  if (startsLine(a, a.length - length, head) && startsLine(b, b.length - length, head)) return length;
  const end = a.indexOf('\n', a.length - length);
  return end === -1 ? 0 : a.length - end - 1;
}

function startsLine(text: string, at: number, head: number): boolean {
  return at === head || text.charCodeAt(at - 1) === 0x0a;
}

/** `at` is the start of a line; answers the start of the line `count` lines before it, or the text's. */
function stepBack(text: string, at: number, count: number): number {
  let start = at;
  for (let i = 0; i < count && start > 0; i++)
    start = start === 1 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
  return start;
}

function stepOn(text: string, at: number, count: number): number {
  let end = at;
  for (let i = 0; i < count && end < text.length; i++) {
    const line = text.indexOf('\n', end);
    end = line === -1 ? text.length : line + 1;
  }
  return end;
}
