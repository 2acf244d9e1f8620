import type { Piece, PieceEnd } from './cutter.ts';

/**
 * One place of a log. `offset` and `length` are bytes of the file; reading on from `offset + length` gives what
 * follows.
 *
 * @since 0.1.0
 */
export type LogEntry = LogRecord | LogDamage | LogTail;

export interface LogRecord {
  offset: number;
  length: number;
  /** Parsed JSON of any kind: it is input, so look at it before using it. */
  value: unknown;
  /** The record's bytes without LF, CR and BOM. A view: copy it to keep it for long. */
  raw: Uint8Array;
}

/** A region that is no record. Reading goes on behind it. */
export interface LogDamage {
  offset: number;
  length: number;
  damaged: 'utf8' | 'json' | 'tooLong' | 'nul';
}

/** The end of the file without a line end, and no whole record: not written yet, as far as a reader can tell. */
export interface LogTail {
  offset: number;
  length: number;
  tail: true;
}

const CR = 0x0d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = [0x7b, 0x5b];
const CLOSE = [0x7d, 0x5d];
const BOM = [0xef, 0xbb, 0xbf];

/** What a piece holds: mostly one record; several where lines were glued; none where it is blank. */
export function entriesOf(piece: Piece): LogEntry[] {
  const { offset } = piece;
  if (piece.kind === 'nul') return [{ offset, length: piece.length, damaged: 'nul' }];
  if (piece.kind === 'tooLong') return [unread(offset, piece.length, 'tooLong', piece.end)];
  const start = offset === 0 && BOM.every((byte, i) => piece.bytes[i] === byte) ? BOM.length : 0;
  const end = piece.bytes.at(-1) === CR ? piece.bytes.length - 1 : piece.bytes.length;
  const bytes = piece.bytes.subarray(start, end);
  const first = skipBlank(bytes, 0);
  if (first >= bytes.length) return [];
  const whole = parse(bytes);
  // Without its line end a number may be half of a longer one; an object or a list shows its own end.
  if ('value' in whole && (piece.end === 'lf' || OPEN.includes(bytes[first]!))) {
    return [{ offset: offset + start, length: bytes.length, value: whole.value, raw: bytes }];
  }
  return glued(bytes, offset + start, piece.end);
}

/**
 * Records one after another without a line end between them: a writer was killed before its LF, or two wrote at once.
 * Only an unbroken row of whole values from the start of the line is taken. From the first thing that is none, all is
 * one damaged region: what lies inside a broken record may look like a record, and is none.
 */
function glued(bytes: Uint8Array, offset: number, end: PieceEnd): LogEntry[] {
  const entries: LogEntry[] = [];
  let at = skipBlank(bytes, 0);
  while (at < bytes.length) {
    const stop = endOfValue(bytes, at);
    const raw = bytes.subarray(at, stop ?? bytes.length);
    const parsed = stop === null ? null : parse(raw);
    if (parsed === null || 'damaged' in parsed) {
      const rest = bytes.subarray(at);
      entries.push(unread(offset + at, rest.length, damageOf(rest), end));
      break;
    }
    entries.push({ offset: offset + at, length: raw.length, value: parsed.value, raw });
    at = skipBlank(bytes, stop!);
  }
  return entries;
}

/** Behind the object or list that starts here, brackets in strings not counted; null where it has no end. */
function endOfValue(bytes: Uint8Array, start: number): number | null {
  if (!OPEN.includes(bytes[start]!)) return null;
  let depth = 0;
  let inString = false;
  for (let i = start; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (inString) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (OPEN.includes(byte)) depth += 1;
    else if (CLOSE.includes(byte)) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return null;
}

function unread(
  offset: number,
  length: number,
  damaged: LogDamage['damaged'],
  end: PieceEnd,
): LogDamage | LogTail {
  return end === 'eof' ? { offset, length, tail: true } : { offset, length, damaged };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parse(bytes: Uint8Array): { value: unknown } | { damaged: 'utf8' | 'json' } {
  const text = decode(bytes);
  if (text === null) return { damaged: 'utf8' };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    // Cut off by a kill, glued, or written by something that writes no JSON.
    if (error instanceof SyntaxError) return { damaged: 'json' };
    throw error;
  }
}

function decode(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    // Cut inside a character, or another encoding.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function damageOf(bytes: Uint8Array): 'utf8' | 'json' {
  return decode(bytes) === null ? 'utf8' : 'json';
}

function skipBlank(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === CR)) at += 1;
  return at;
}
