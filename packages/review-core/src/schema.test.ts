import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { changeWith, stateOf } from '../test-support/change.ts';
import { check, pairs } from '../test-support/property.ts';
import { previewChange } from './preview.ts';
import { checkChange, checkFileState, checkGap, checkHunk } from './record/guard.ts';
import { mirrorOf } from './record/mirror.ts';
import type { Gap, ReviewChange } from './record/v1.ts';
import { fileStateSchema, gapSchema, outcomeSchema, reviewChangeSchema, reviewHunkSchema } from './schema.ts';

const gap: Gap = {
  seq: 1,
  sessionId: 's',
  callId: 'c',
  messageId: 'm',
  toolName: 'edit',
  path: '.env',
  operation: 'edit',
  reason: 'sensitive',
  detail: null,
  createdAt: '2026-01-02T03:04:05Z',
};
const kinds: Partial<ReviewChange>[] = [
  {},
  { before: null, agent: { name: 'helper', sessionId: 't' }, moveId: 'm', groupId: 'g' },
  { after: null, additions: null, deletions: null, evidence: 'binary' },
  {
    scope: 'external',
    reversible: false,
    irreversibleReason: 'outsideWorkspace',
    keptRuns: ['0'.repeat(32)],
  },
];

/** What a member may be changed to: near misses above all. */
const wrong = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    -0,
    2 ** 53,
    0o10000,
    '',
    'x',
    [],
    {},
    [null],
    [''],
    undefined,
  ),
  fc.constantFrom(
    'added',
    'deleted',
    'kept',
    'active',
    'file',
    'fork',
    'external',
    'binary',
    '../a',
    'a\0',
    '-line',
    '\\',
  ),
  fc.constantFrom(
    '0'.repeat(32),
    'a'.repeat(64),
    '2026-01-02T03:04:05Z',
    '2026-02-30T24:00:00Z',
    '00000000-0000-4000-8000-00000000000G',
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

/** The value with one of its members, however deep, replaced, removed, or joined by an unknown one. */
function mutated(value: unknown, random: fc.GeneratorValue): unknown {
  if (typeof value !== 'object' || value === null || random(fc.integer, { min: 0, max: 5 }) === 0) {
    return random(() => wrong);
  }
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...value };
  const keys = Object.keys(copy);
  const key = keys[random(fc.nat, Math.max(keys.length - 1, 0))] ?? 'unknown';
  const members = copy as Record<string, unknown>;
  const how = random(fc.integer, { min: 0, max: 9 });
  if (how === 0) members.unknown = random(() => wrong);
  else if (how === 1 && !Array.isArray(copy)) delete members[key];
  else members[key] = mutated(members[key], random);
  return copy;
}

describe('guard and schema give the same answer', () => {
  function agree(
    samples: fc.Arbitrary<unknown>,
    schema: { safeParse(value: unknown): { success: boolean } },
    guard: (value: unknown) => object,
    runs: number,
  ): void {
    let taken = 0;
    check(
      fc.property(samples, fc.gen(), fc.nat(2), (sample, random, times) => {
        let value = sample;
        for (let i = 0; i < times; i++) value = mutated(value, random);
        const readable = 'value' in guard(value);
        expect(schema.safeParse(value).success, JSON.stringify(guard(value))).toBe(readable);
        if (readable) taken++;
      }),
      runs,
    );
    expect(taken).toBeGreaterThan(runs / 10);
    expect(taken).toBeLessThan(runs * 0.9);
  }

  it('for records', () => {
    /** Of another version: what a schema of this one can't weigh. */
    const guard = (value: unknown): object => {
      const version =
        typeof value === 'object' && value !== null && 'version' in value ? value.version : null;
      return version === 1 ? checkChange(value) : {};
    };
    agree(fc.constantFrom(...kinds.map(changeWith)), reviewChangeSchema, guard, 6000);
  });

  it('for hunks', () => {
    const hunks = pairs.map(
      ([before, after]) =>
        previewChange(new TextEncoder().encode(before), new TextEncoder().encode(after)).hunks[0] ?? null,
    );
    agree(hunks, reviewHunkSchema, checkHunk, 4000);
  });

  it('for gaps and file states', () => {
    agree(fc.constant(gap), gapSchema, checkGap, 3000);
    agree(fc.constant(stateOf(new Uint8Array())), fileStateSchema, checkFileState, 3000);
  });
});

describe('the schemas', () => {
  it('keep what they do not know', () => {
    const record = { ...changeWith(), later: { deep: [1] }, round: { id: 'r', ordinal: null, more: 1 } };
    expect(reviewChangeSchema.parse(record)).toEqual(record);
  });

  it('are lawful parts of schemas made with zod', () => {
    const wire = z.object({ change: reviewChangeSchema, hunks: z.array(reviewHunkSchema).optional() });
    expect(wire.parse({ change: changeWith() })).toEqual({ change: changeWith() });
    expect(wire.safeParse({ change: { ...changeWith(), scope: 'external' } }).error?.issues[0]).toMatchObject(
      {
        path: ['change'],
        message: '.reversible is true outside the workspace',
      },
    );
  });

  it('mirror outcomes', () => {
    const outcome = {
      status: 'conflict',
      changes: [changeWith()],
      reason: 'changedOnDisk',
      path: 'src/a.ts',
      message: 'changed',
      wrote: false,
      rollbackId: null,
      laterChange: null,
      errno: null,
    };
    expect(outcomeSchema.parse(outcome)).toEqual(outcome);
    expect(outcomeSchema.safeParse({ ...outcome, status: 'fine' }).success).toBe(false);
  });

  it('compile only where they are equal to the type, in both directions', () => {
    type Pair = { kind: 'a' | 'b'; size: number | null };
    const kind = mini.enum(['a', 'b']);
    const size = mini.nullable(mini.number());
    expect(mirrorOf<Pair>()(mini.looseObject({ kind, size })).safeParse({ kind: 'a', size: 1 }).success).toBe(
      true,
    );
    // @ts-expect-error a kind is missing
    mirrorOf<Pair>()(mini.looseObject({ kind: mini.enum(['a']), size }));
    // @ts-expect-error a kind too many
    mirrorOf<Pair>()(mini.looseObject({ kind: mini.enum(['a', 'b', 'c']), size }));
    // @ts-expect-error a member is missing
    mirrorOf<Pair>()(mini.looseObject({ kind }));
    // @ts-expect-error a member too many
    mirrorOf<Pair>()(mini.looseObject({ kind, size, more: mini.string() }));
    // @ts-expect-error null is missing
    mirrorOf<Pair>()(mini.looseObject({ kind, size: mini.number() }));
  });
});
