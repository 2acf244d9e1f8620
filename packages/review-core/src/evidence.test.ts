import { describe, expect, it } from 'vitest';
import { hunksWithContext, runsOf } from './evidence.ts';
import { previewChange } from './preview.ts';
import type { ReviewHunk } from './record/v1.ts';

const bytes = (lines: string[]): Uint8Array =>
  new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));
const LINES = Array.from({ length: 30 }, (_, index) => `${index + 1}`);

/** Lines 10, 15 and 25 of 30 are changed; 20 and 21 are gone. */
function stored(): ReviewHunk[] {
  const after = LINES.map((line) => (['10', '15', '25'].includes(line) ? `${line}!` : line));
  after.splice(19, 2);
  return previewChange(bytes(LINES), bytes(after)).hunks;
}

describe('hunksWithContext', () => {
  const headers = (context: 1 | 3 | 5): string[] =>
    hunksWithContext(stored(), context).map((hunk) => hunk.header);

  it('splits where the inner context is longer than twice the asked lines', () => {
    expect(headers(5)).toEqual(['@@ -5,26 +5,24 @@']);
    expect(headers(3)).toEqual(['@@ -7,22 +7,20 @@']);
    expect(headers(1)).toEqual([
      '@@ -9,3 +9,3 @@',
      '@@ -14,3 +14,3 @@',
      '@@ -19,4 +19,2 @@',
      '@@ -24,3 +22,3 @@',
    ]);
  });

  it('gives each part its own runs', () => {
    const [all, parts] = [stored(), hunksWithContext(stored(), 1)];
    expect(all[0]!.runs).toHaveLength(4);
    expect(parts.map((hunk) => hunk.runs)).toEqual(all[0]!.runs.map((run) => [run]));
  });

  it('keeps the marker of a missing last LF with its line', () => {
    const text = (first: string): Uint8Array => new TextEncoder().encode(`${first}\nb\nc`);
    const [hunk] = previewChange(text('a'), text('A')).hunks;
    expect(hunksWithContext([hunk!], 3)).toEqual([hunk]);
    expect(hunksWithContext([hunk!], 1)).toMatchObject([
      { header: '@@ -1,2 +1,2 @@', lines: ['-a', '+A', ' b'] },
    ]);
    const [near] = previewChange(new TextEncoder().encode('a\nb'), new TextEncoder().encode('A\nb')).hunks;
    expect(hunksWithContext([near!], 1)).toEqual([near]);
    expect(near!.lines.at(-1)).toBe('\\ No newline at end of file');
  });

  it('leaves what it was given as it was', () => {
    const given = stored();
    const copy = structuredClone(given);
    hunksWithContext(given, 1);
    expect(given).toEqual(copy);
  });
});

it('runsOf tells what each run removes and adds, and where', () => {
  const hunks = stored();
  expect(runsOf(hunks)).toEqual([
    {
      id: hunks[0]!.runs[0],
      removed: ['10'],
      added: ['10!'],
      hunk: 0,
      start: 5,
      end: 7,
      oldLine: 10,
      newLine: 10,
    },
    {
      id: hunks[0]!.runs[1],
      removed: ['15'],
      added: ['15!'],
      hunk: 0,
      start: 11,
      end: 13,
      oldLine: 15,
      newLine: 15,
    },
    {
      id: hunks[0]!.runs[2],
      removed: ['20', '21'],
      added: [],
      hunk: 0,
      start: 17,
      end: 19,
      oldLine: 20,
      newLine: 20,
    },
    {
      id: hunks[0]!.runs[3],
      removed: ['25'],
      added: ['25!'],
      hunk: 0,
      start: 22,
      end: 24,
      oldLine: 25,
      newLine: 23,
    },
  ]);
});
