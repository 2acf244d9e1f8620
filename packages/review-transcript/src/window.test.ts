import { ReviewError } from '@backstitch/review-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Row, selectWindow } from './index.ts';

const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, ordinal) => ({
    ordinal,
    offset: ordinal * 10,
    length: 9,
    type: 'message',
    id: `m${ordinal}`,
  }));
const ids = (rows: readonly Row[]): string[] => rows.map((row) => row.id!);

describe('selectWindow', () => {
  it('answers the newest without a cursor', () => {
    const page = selectWindow(rowsOf(5), 't', { limit: 2 });
    expect(ids(page.rows)).toEqual(['m3', 'm4']);
    expect(page).toMatchObject({ nextCursor: null, prevCursor: expect.any(String) });
  });

  it('visits every line once, backwards and forwards, while lines are appended', () => {
    const growth = fc.array(fc.nat(7), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.nat(30), fc.integer({ min: 1, max: 7 }), growth, (count, limit, lengths) => {
        let rows = rowsOf(count);
        const steps = [...lengths];
        const grow = (): void => {
          rows = rowsOf(rows.length + (steps.shift() ?? 0));
        };
        const newest = selectWindow(rows, 't', { limit });
        const seen = [ids(newest.rows)];
        for (let page = newest; page.prevCursor !== null; ) {
          grow();
          page = selectWindow(rows, 't', { before: page.prevCursor, limit });
          seen.unshift(ids(page.rows));
        }
        expect(seen.flat()).toEqual(ids(rowsOf(count)));
        const later = seen.flat();
        for (let from: string | null = newest.endCursor; from !== null; ) {
          grow();
          const page = selectWindow(rows, 't', { after: from, limit });
          later.push(...ids(page.rows));
          from = page.nextCursor;
        }
        expect(later).toEqual(ids(rows));
      }),
    );
  });

  it('goes on from the end of an empty transcript when lines come', () => {
    const empty = selectWindow([], 'none', { limit: 3 });
    expect(empty).toMatchObject({ rows: [], prevCursor: null, nextCursor: null });
    expect(ids(selectWindow(rowsOf(2), 't', { after: empty.endCursor, limit: 3 }).rows)).toEqual([
      'm0',
      'm1',
    ]);
  });

  it.each([
    ['limit 0', { limit: 0 }, 'invalidArgument'],
    ['no limit', {} as { limit: number }, 'invalidArgument'],
    ['half a limit', { limit: 1.5 }, 'invalidArgument'],
    ['two directions', { before: 't.10', after: 't.10', limit: 1 }, 'invalidArgument'],
    ['a cursor of nobody', { before: '__proto__', limit: 1 }, 'invalidArgument'],
    ['a number', { before: 10 as unknown as string, limit: 1 }, 'invalidArgument'],
    ['a cursor of another file', { before: 'u.10', limit: 1 }, 'cursorExpired'],
    ['a place where no line begins', { after: 't.11', limit: 1 }, 'cursorExpired'],
  ])('refuses %s', (_, request, code) => {
    try {
      selectWindow(rowsOf(5), 't', request);
      expect.unreachable();
    } catch (error) {
      expect(ReviewError.isInstance(error) && error.code).toBe(code);
    }
  });
});
