import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from '../../test-support/property.ts';
import type { DiffAlgorithm, Match } from './algorithm.ts';
import { matchLines } from './match-lines.ts';
import { myers } from './myers.ts';

const UNBOUNDED = Number.MAX_SAFE_INTEGER;

/** Counts what an algorithm is given to do. */
function counting(): DiffAlgorithm & { lines: number; bounds: number[] } {
  return {
    lines: 0,
    bounds: [],
    match(before, after, maxEditLength) {
      this.lines += before.length + after.length;
      this.bounds.push(maxEditLength);
      return myers.match(before, after, maxEditLength);
    },
  };
}

/** Length of the longest common sequence, by the table that everybody trusts. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const line of a) {
    const next = [0];
    for (let j = 0; j < b.length; j++) {
      next.push(line === b[j] ? row[j]! + 1 : Math.max(row[j + 1]!, next[j]!));
    }
    row = next;
  }
  return row.at(-1)!;
}

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 30 });

describe('matchLines', () => {
  it('finds as many equal lines as there are, in order, each once', () => {
    check(
      fc.property(lines, lines, (before, after) => {
        const matches = matchLines(before, after, myers, UNBOUNDED)!;
        let [old, now, total] = [0, 0, 0];
        for (const match of matches) {
          expect(match.length).toBeGreaterThan(0);
          expect(match.before).toBeGreaterThanOrEqual(old);
          expect(match.after).toBeGreaterThanOrEqual(now);
          expect(before.slice(match.before, match.before + match.length)).toEqual(
            after.slice(match.after, match.after + match.length),
          );
          [old, now, total] = [match.before + match.length, match.after + match.length, total + match.length];
        }
        expect(total).toBe(longestCommon(before, after));
      }),
      2000,
    );
  });

  it('[C091] leaves to the algorithm only what can match and is not matched yet', () => {
    const work = counting();
    const long = Array.from({ length: 200_000 }, (_, index) => `line ${index}`);
    matchLines(long, long.with(100_000, 'changed'), work, 2000);
    matchLines(['one'], long, work, 2000);
    matchLines(
      long,
      long.map((line) => `other ${line}`),
      work,
      2000,
    );
    expect(work.lines).toBe(0);

    const others = long.map((line) => `other ${line}`);
    matchLines([...long, 'x', 'y'], ['y', ...others, 'x'], work, 2000);
    expect(work.lines).toBe(4);
  });

  it('hands the bound on, and gives up where the algorithm does', () => {
    const work = counting();
    const [before, after] = [
      ['a', 'b', 'c'],
      ['c', 'b', 'a'],
    ];
    expect(matchLines(before!, after!, work, 3)).toBeUndefined();
    expect(matchLines(before!, after!, work, 4)).toEqual<Match[]>([
      { before: expect.any(Number), after: expect.any(Number), length: 1 },
    ]);
    expect(work.bounds).toEqual([3, 4]);
  });
});
