import { decodeUtf8 } from '../platform.ts';

/** Where git stops to call a file text. */
const NUL = 0;

/** The text of `bytes`, with its byte order mark and its line ends; null where the bytes are no text. */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes.includes(NUL)) return null;
  try {
    return decodeUtf8(bytes);
  } catch (error) {
    // Bytes that are not UTF-8. Anything else (a string too long for the engine) is not ours to swallow.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
