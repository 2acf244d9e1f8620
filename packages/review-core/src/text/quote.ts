import { encodeUtf8 } from '../platform.ts';

const LETTERS: Readonly<Record<string, string>> = {
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '"': '"',
  '\\': '\\',
};

/** A name as git writes it in a patch: in quotes with escapes where it holds more than printable ASCII. */
export function quoteName(name: string): string {
  const written = Array.from(encodeUtf8(name), escapeByte).join('');
  return written === name ? name : `"${written}"`;
}

function escapeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  const letter = LETTERS[character];
  if (letter !== undefined) return `\\${letter}`;
  return byte < 0x20 || byte >= 0x7f ? `\\${byte.toString(8).padStart(3, '0')}` : character;
}
