/** A line of at most `most` UTF-16 units, with `…` for what is left out. Never half a character. */
export function cutLine(line: string, most: number): string {
  if (line.length <= most) return line;
  const end = most - 1;
  const last = line.charCodeAt(end - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return `${line.slice(0, splitsPair ? end - 1 : end)}…`;
}
