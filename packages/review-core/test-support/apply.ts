import type { ReviewHunk } from '../src/record/v1.ts';
import { splitLines } from '../src/text/lines.ts';

/** Applies hunks strictly: each line that they name must stand where they say. Written without the code it tests. */
export function applyHunks(
  text: string,
  hunks: readonly ReviewHunk[],
  direction: 'forward' | 'back',
): string {
  const [gone, come] = direction === 'forward' ? ['-', '+'] : ['+', '-'];
  const source = splitLines(text);
  const result: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const [start, count] =
      direction === 'forward' ? [hunk.oldStart, hunk.oldLines] : [hunk.newStart, hunk.newLines];
    const from = count === 0 ? start : start - 1;
    while (at < from) result.push(source[at++]!);
    for (const { mark, line } of wholeLines(hunk.lines)) {
      if (mark === come) result.push(line);
      else {
        if (source[at] !== line)
          throw new Error(`line ${at + 1} is ${JSON.stringify(source[at])}, not ${line}`);
        at++;
        if (mark !== gone) result.push(line);
      }
    }
  }
  return result.join('') + source.slice(at).join('');
}

function wholeLines(lines: readonly string[]): { mark: string; line: string }[] {
  return lines.flatMap((line, index) => {
    if (line.startsWith('\\')) return [];
    const ended = !lines[index + 1]?.startsWith('\\');
    return { mark: line[0]!, line: line.slice(1) + (ended ? '\n' : '') };
  });
}
