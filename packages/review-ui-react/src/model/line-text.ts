/**
 * One line of a recorded file as pieces that can be put on a screen safely: characters that can't be seen, or
 * that change the order in which others are drawn, become tokens that name them.
 */

export type TokenKind = 'carriageReturn' | 'control' | 'bidi' | 'invisible' | 'surrogate';

export type TextPiece = string | { token: TokenKind; text: string };

/** A line above so many characters is cut for display. Copying gives all of it. */
export const MAX_LINE = 1000;

const BIDI = '\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069';
const INVISIBLE =
  '\\u00AD\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u200B\\u200C\\u2028\\u2029\\u2060-\\u2064\\u206A-\\u206F\\u3164\\uFEFF\\uFFA0\\u{E0000}-\\u{E007F}';
/** Tab is layout, not a surprise. LF can't be in a line. */
const CONTROL = '\\u0000-\\u0008\\u000A-\\u001F\\u007F-\\u009F';
/** A joiner between two pictures makes one picture of them, and is left alone. */
const LONE_JOINER =
  '(?<!\\p{Extended_Pictographic}[\\uFE0F\\u{1F3FB}-\\u{1F3FF}]*)\\u200D|\\u200D(?!\\p{Extended_Pictographic})';
const SPECIAL = new RegExp(`[${CONTROL}${BIDI}${INVISIBLE}\\p{Surrogate}]|${LONE_JOINER}`, 'gu');
const IS_BIDI = new RegExp(`^[${BIDI}]$`, 'u');
const IS_CONTROL = new RegExp(`^[${CONTROL}]$`, 'u');
const IS_SURROGATE = /^\p{Surrogate}$/u;

export function piecesOf(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let plainFrom = 0;
  for (const match of text.matchAll(SPECIAL)) {
    const char = match[0];
    if (match.index > plainFrom) pieces.push(text.slice(plainFrom, match.index));
    pieces.push(tokenOf(char));
    plainFrom = match.index + char.length;
  }
  if (plainFrom < text.length) pieces.push(text.slice(plainFrom));
  return pieces;
}

function tokenOf(char: string): Exclude<TextPiece, string> {
  if (char === '\r') return { token: 'carriageReturn', text: '␍' };
  const text = `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  if (IS_SURROGATE.test(char)) return { token: 'surrogate', text };
  if (IS_BIDI.test(char)) return { token: 'bidi', text };
  return { token: IS_CONTROL.test(char) ? 'control' : 'invisible', text };
}

export interface CutLine {
  text: string;
  /** Characters (code points) in all, where the line was cut; null where it is whole. */
  total: number | null;
  shown: number;
}

/** Cuts between code points, never inside one. */
export function cutLine(text: string, max: number = MAX_LINE): CutLine {
  if (text.length <= max) return { text, total: null, shown: text.length };
  let end = 0;
  let shown = 0;
  while (shown < max && end < text.length) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
    shown += 1;
  }
  if (end === text.length) return { text, total: null, shown };
  return { text: text.slice(0, end), total: shown + codePoints(text, end), shown };
}

function codePoints(text: string, from: number): number {
  let count = 0;
  for (let index = from; index < text.length; count += 1) index += text.codePointAt(index)! > 0xffff ? 2 : 1;
  return count;
}

const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/gu;

/** About how many columns a line takes, so that a scroll area is as wide as rows that are not drawn yet. */
export function columnsOf(text: string, tabSize: number): number {
  const shown = text.length > MAX_LINE ? text.slice(0, MAX_LINE) : text;
  const tabs = shown.split('\t').length - 1;
  const tokens = piecesOf(shown).reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? 0 : piece.text.length),
    0,
  );
  return shown.length + tabs * (tabSize - 1) + (shown.match(WIDE)?.length ?? 0) + tokens;
}
