import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caseBytes } from '../test-support/cases.ts';
import { changeWith } from '../test-support/change.ts';
import { check, pairs } from '../test-support/property.ts';
import { DEFAULT_DETAILS_LIMITS, reviewDetails } from './details.ts';
import { ReviewError } from './errors.ts';
import { previewChange } from './preview.ts';
import { checkChange, checkHunks, isReadable } from './record/guard.ts';
import type { ReviewHunk } from './record/v1.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const hunksOf = (before: string, after: string): ReviewHunk[] =>
  previewChange(bytes(before), bytes(after)).hunks;
const sizeOf = (hunks: ReviewHunk[]): number =>
  hunks.flatMap((hunk) => hunk.lines).reduce((sum, line) => sum + bytes(line).length, 0);

describe('reviewDetails', () => {
  it('copies a small change whole, as plain JSON of its own', () => {
    const [change, hunks] = [changeWith(), hunksOf('a\n', 'b\n')];
    const details = reviewDetails(change, hunks);
    expect(details).toEqual({ version: 1, change, hunks, truncated: false });
    expect(JSON.parse(JSON.stringify(details))).toEqual(details);
    details.change.round.id = 'other';
    details.hunks[0]!.lines[0] = 'other';
    expect([change, hunks]).toEqual([changeWith(), hunksOf('a\n', 'b\n')]);
  });

  it('holds 64 KiB of lines and 2,000 units of one line, if nothing else is said', () => {
    expect(DEFAULT_DETAILS_LIMITS).toEqual({ maxBytes: 65_536, maxLineLength: 2000 });
    const long = reviewDetails(changeWith(), hunksOf('', `${'x'.repeat(200_000)}\n`));
    expect(long.hunks[0]!.lines).toEqual([`+${'x'.repeat(1998)}…`]);
    expect(long.truncated).toBe(true);
    const many = reviewDetails(changeWith(), hunksOf('', '0123456\n'.repeat(10_000)));
    expect(many.hunks).toMatchObject([{ header: '@@ -0,0 +1,8192 @@' }]);
    expect(sizeOf(many.hunks)).toBe(65_536);
    expect(many.truncated).toBe(true);
  });

  it('[C055] [C092] never cuts a character in two', () => {
    const [before, after] = ['before', 'after'].map((side) => caseBytes(`emoji-cut/${side}.bin`));
    const { hunks } = previewChange(before!, after!);
    for (let maxLineLength = 76; maxLineLength < 86; maxLineLength++) {
      const details = reviewDetails(changeWith(), hunks, { maxLineLength });
      for (const line of details.hunks[0]!.lines) {
        expect(line.length).toBeLessThanOrEqual(maxLineLength);
        expect(line).not.toMatch(/\p{Surrogate}/u);
      }
    }
  });

  it('cuts the last hunk between two lines, keeps a marker with its line, and drops a hunk without a change', () => {
    const hunks = hunksOf('a\nb\nc', 'a\nB\nC');
    const at = (maxBytes: number): string[] =>
      reviewDetails(changeWith(), hunks, { maxBytes }).hunks.flatMap((hunk) => [hunk.header, ...hunk.lines]);
    expect(hunks[0]!.lines).toEqual([
      ' a',
      '-b',
      '-c',
      '\\ No newline at end of file',
      '+B',
      '+C',
      '\\ No newline at end of file',
    ]);
    expect(at(3)).toEqual([]);
    expect(at(4)).toEqual(['@@ -1,2 +1 @@', ' a', '-b']);
    expect(at(6)).toEqual(['@@ -1,2 +1 @@', ' a', '-b']);
    expect(at(6 + 28)).toEqual(['@@ -1,3 +1 @@', ' a', '-b', '-c', '\\ No newline at end of file']);
  });

  it('keeps the marks of kept runs that it shows', () => {
    const far = Array.from({ length: 20 }, (_, index) => `${index}`).join('\n');
    const hunks = hunksOf(`a\n${far}\nb\n`, `A\n${far}\nB\n`);
    const [first, second] = hunks.flatMap((hunk) => hunk.runs);
    const details = reviewDetails(changeWith({ keptRuns: [first!, second!] }), hunks, { maxBytes: 20 });
    expect(details.hunks).toHaveLength(1);
    expect(details.change.keptRuns).toEqual([first]);
  });

  it('stays a lawful record within its bounds', () => {
    check(
      fc.property(
        pairs,
        fc.integer({ min: 2, max: 300 }),
        fc.integer({ min: 2, max: 12 }),
        (pair, maxBytes, maxLineLength) => {
          const hunks = hunksOf(...pair);
          const details = reviewDetails(changeWith(), hunks, { maxBytes, maxLineLength });
          expect(isReadable(checkChange(details.change))).toBe(true);
          expect(checkHunks(details.hunks)).toEqual({ value: details.hunks });
          expect(sizeOf(details.hunks)).toBeLessThanOrEqual(maxBytes);
          expect(details.truncated).toBe(JSON.stringify(details.hunks) !== JSON.stringify(hunks));
        },
      ),
      1000,
    );
  });

  it.each([1, 0, 2.5, Number.NaN])('refuses %s as a limit', (value) => {
    for (const name of ['maxBytes', 'maxLineLength']) {
      try {
        reviewDetails(changeWith(), [], { [name]: value });
        expect.unreachable();
      } catch (error) {
        expect(ReviewError.isInstance(error) && error.code).toBe('invalidArgument');
      }
    }
  });
});
