// @vitest-environment node
import { readFileSync } from 'node:fs';
import type { ReviewHunk } from '@backstitch/review-core';
import { describe, expect, it } from 'vitest';
import { hunksOf } from '../testing/sample-change.ts';
import type { DiffRow, LineRow } from './hunk-rows.ts';
import { diffRows, malformedBecause } from './hunk-rows.ts';

const CASES = new URL('../../../../test/cases/', import.meta.url);

function caseRows(name: string): DiffRow[] {
  const side = (which: string) => new Uint8Array(readFileSync(new URL(`${name}/${which}.bin`, CASES)));
  return diffRows(hunksOf(side('before'), side('after')), 3);
}

function countOf(rows: readonly DiffRow[]): string {
  const count = (kind: DiffRow['kind']) => rows.filter((row) => row.kind === kind).length;
  return `${count('added')}/${count('deleted')}`;
}

const HUNK: ReviewHunk = {
  header: '@@ -1,2 +1,2 @@',
  oldStart: 1,
  oldLines: 2,
  newStart: 1,
  newLines: 2,
  lines: [' a', '-b', '+c'],
  runs: [],
};

describe('the rows of a diff', () => {
  it('numbers both sides', () => {
    const rows = diffRows(hunksOf('one\ntwo\nthree\n', 'one\n2\nand\nthree\n'), 3);
    expect(rows).toEqual([
      { kind: 'hunk', header: '@@ -1,3 +1,4 @@' },
      { kind: 'context', oldLine: 1, newLine: 1, text: 'one' },
      { kind: 'deleted', oldLine: 2, newLine: null, text: 'two' },
      { kind: 'added', oldLine: null, newLine: 2, text: '2' },
      { kind: 'added', oldLine: null, newLine: 3, text: 'and' },
      { kind: 'context', oldLine: 3, newLine: 4, text: 'three' },
    ]);
  });

  it.each([[1], [3], [5]] as const)('shows %i lines of context out of the stored five', (lines) => {
    const text = Array.from({ length: 30 }, (_, index) => `line ${index}\n`);
    const rows = diffRows(hunksOf(text.join(''), text.with(15, 'changed\n').join('')), lines);
    expect(rows.filter((row) => row.kind === 'context')).toHaveLength(lines * 2);
    expect((rows[1] as LineRow).oldLine).toBe(16 - lines);
  });

  it('[C071] puts the mark for a missing final newline on its side', () => {
    const sides = (before: string, after: string) =>
      diffRows(hunksOf(before, after), 3).flatMap((row) => (row.kind === 'noNewline' ? [row.side] : []));
    expect(sides('a\nb', 'a\nb\n')).toEqual(['before']);
    expect(sides('a\nb\n', 'a\nb')).toEqual(['after']);
    expect(sides('a\nb', 'a\nc')).toEqual(['before', 'after']);
    expect(sides('a\nb', 'c\nb')).toEqual(['both']);
  });

  it('[C083] takes no content for syntax', () => {
    const rows = caseRows('looks-like-header');
    expect(countOf(rows)).toBe('2/1');
    expect(rows.filter((row) => row.kind === 'hunk')).toHaveLength(1);
  });

  it.each([
    ['[C074] cr-at-eof', 'cr-at-eof', '1/0'],
    ['[C074] cr-inside-line', 'cr-inside-line', '1/1'],
    ['[C074] cr-only-file', 'cr-only-file', '1/1'],
    ['[C070] bom-lost-with-edit', 'bom-lost-with-edit', '2/2'],
    ['[C070] bom-only', 'bom-only', '1/1'],
    ['[C071] eof-none-both-multi', 'eof-none-both-multi', '6/2'],
    ['[C092] minified-one-line', 'minified-one-line', '1/1'],
  ])('%s gives the counts of git', (_, name, counts) => {
    expect(countOf(caseRows(name))).toBe(counts);
  });
});

describe('hunks that do not hold together', () => {
  it('[C082] tells what is wrong with one', () => {
    expect(malformedBecause({ ...HUNK, lines: [' a', '-b', '+c'] })).toBeNull();
    expect(malformedBecause({ ...HUNK, lines: [' a', '-b'] })).toBe('counts');
    expect(malformedBecause({ ...HUNK, oldLines: 9 })).toBe('counts');
    expect(malformedBecause({ ...HUNK, lines: ['a', '-b', '+c'] })).toBe('lines');
    expect(malformedBecause({ ...HUNK, lines: [' a', '', '+c'] })).toBe('lines');
    expect(malformedBecause({ ...HUNK, lines: ['\\ No newline', ' a', '-b', '+c'] })).toBe('marker');
    expect(malformedBecause({ ...HUNK, lines: null })).toBe('shape');
    expect(malformedBecause({ ...HUNK, oldStart: -1 })).toBe('shape');
    expect(malformedBecause({ ...HUNK, newStart: 1.5 })).toBe('shape');
    expect(malformedBecause(null)).toBe('shape');
  });

  it('[C082] shows the good ones around a bad one', () => {
    const later = { ...HUNK, oldStart: 40, newStart: 40 };
    const rows = diffRows([HUNK, { ...HUNK, oldStart: 20, newStart: 20, oldLines: 7 }, later], 3);
    expect(rows.map((row) => row.kind)).toEqual([
      ...['hunk', 'context', 'deleted', 'added'],
      'unavailable',
      ...['hunk', 'context', 'deleted', 'added'],
    ]);
  });

  it('refuses hunks that overlap', () => {
    expect(diffRows([HUNK, { ...HUNK, oldStart: 2, newStart: 2 }], 3).at(-1)).toEqual({
      kind: 'unavailable',
      reason: 'order',
    });
  });
});
