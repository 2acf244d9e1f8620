import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from '../test-support/property.ts';
import { digest } from './digest.ts';
import { previewChange } from './preview.ts';
import { assignRuns } from './runs.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const idOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);

describe('assignRuns', () => {
  const ID = '00000000-0000-4000-8000-000000000001';
  const far = Array.from({ length: 12 }, (_, index) => `${index}`);
  const before = ['é"\\', ...far, 'same', ...far, 'same'];
  const after = ['ü', ...far, 'other', ...far, 'other', 'last'];
  const { hunks } = previewChange(bytes(before.join('\n')), bytes(after.join('\n')));

  it('gives the SHA-256 over the snapshot, the lines, and the count of equal runs before', () => {
    expect(assignRuns(ID, hunks).flatMap((hunk) => hunk.runs)).toEqual([
      idOf([ID, ['é"\\'], ['ü'], 0]),
      idOf([ID, ['same'], ['other'], 0]),
      idOf([ID, ['same'], ['other', 'last'], 0]),
    ]);
    const twice = previewChange(
      bytes(['x', ...far, 'x'].join('\n')),
      bytes(['y', ...far, 'y'].join('\n')),
    ).hunks;
    expect(assignRuns(ID, twice).map((hunk) => hunk.runs)).toEqual([
      [idOf([ID, ['x'], ['y'], 0])],
      [idOf([ID, ['x'], ['y'], 1])],
    ]);
  });

  it('has one literal that stands for all readers to come', () => {
    const one = previewChange(null, bytes('hello\n')).hunks;
    expect(assignRuns(ID, one)[0]!.runs).toEqual(['e774bbcd23ae4eb4ef39c6bb1b3f3112']);
  });

  it('changes nothing but the runs, and not what it was given', () => {
    const copy = structuredClone(hunks);
    const assigned = assignRuns(ID, hunks);
    expect(hunks).toEqual(copy);
    expect(assigned.map((hunk) => ({ ...hunk, runs: [] }))).toEqual(
      hunks.map((hunk) => ({ ...hunk, runs: [] })),
    );
    expect(assignRuns('', assigned)).toEqual(hunks);
  });

  it('agrees with another SHA-256, for lines of any length', () => {
    check(
      fc.property(
        fc.string({ maxLength: 300, unit: fc.constantFrom('a', 'é', '🚀', '"', '\\', '\r') }),
        (line) => {
          const [hunk] = previewChange(null, bytes(`${line}\n`)).hunks;
          expect(hunk!.runs).toEqual([idOf(['', [], [line], 0])]);
        },
      ),
      300,
    );
  });
});

describe('digest', () => {
  it('is the SHA-256 of the bytes, in 64 lower-case hex digits', async () => {
    expect(await digest(new Uint8Array())).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    expect(await digest(all)).toBe(createHash('sha256').update(all).digest('hex'));
    expect(await digest(all.subarray(3, 9))).toBe(
      createHash('sha256').update(all.subarray(3, 9)).digest('hex'),
    );
  });
});
