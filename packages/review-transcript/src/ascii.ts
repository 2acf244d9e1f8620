/** The last place of an ASCII text in bytes, or -1. */
export function lastIndexOfAscii(bytes: Uint8Array, text: string): number {
  const first = text.charCodeAt(0);
  let at = bytes.lastIndexOf(first);
  while (at !== -1) {
    if (startsWithAscii(bytes, at, text)) return at;
    at = at === 0 ? -1 : bytes.lastIndexOf(first, at - 1);
  }
  return -1;
}

function startsWithAscii(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}
