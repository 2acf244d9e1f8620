/** The opaque cursor of a list: which journal, the last seq shown, and the last one that belongs to the list. */
import { ReviewError } from '../errors.ts';
import type { Revision } from '../ports/store.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The journal that a revision belongs to: what stands before its last colon. */
function journalOf(revision: Revision | null): string {
  return revision === null ? '' : revision.slice(0, revision.lastIndexOf(':'));
}

export function writeCursor(revision: Revision | null, after: number, top: number): string {
  return toBase64Url(JSON.stringify([journalOf(revision), after, top]));
}

export function readCursor(cursor: string, revision: Revision | null): { after: number; top: number } {
  const [journal, after, top] = parse(cursor);
  if (!Number.isSafeInteger(after) || !Number.isSafeInteger(top)) throw malformed();
  if (journal !== journalOf(revision)) {
    throw new ReviewError(
      'cursorExpired',
      'The list that this cursor belongs to is gone. List from the start again.',
    );
  }
  return { after: after as number, top: top as number };
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(fromBase64Url(cursor));
    if (Array.isArray(value)) return value;
  } catch (error) {
    // Anything a client may send: not ours, and no reason to fall over.
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw malformed();
}

function malformed(): ReviewError {
  return new ReviewError(
    'invalidArgument',
    "'cursor' was not made by this service. Use the nextCursor of a list.",
  );
}

/** Of text within Latin-1, which JSON of numbers and store ids is. */
function toBase64Url(text: string): string {
  let out = '';
  for (let at = 0; at < text.length; at += 3) {
    const [a, b, c] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
    const bits = (a << 16) | ((b || 0) << 8) | (c || 0);
    const digits = Number.isNaN(b) ? 2 : Number.isNaN(c) ? 3 : 4;
    for (let digit = 0; digit < digits; digit++) out += ALPHABET[(bits >> (18 - 6 * digit)) & 63];
  }
  return out;
}

function fromBase64Url(text: string): string {
  let out = '';
  let bits = 0;
  let size = 0;
  for (const char of text) {
    bits = ((bits << 6) | ALPHABET.indexOf(char)) & 0xffff;
    size += 6;
    if (size < 8) continue;
    size -= 8;
    out += String.fromCharCode((bits >> size) & 255);
  }
  return out;
}
