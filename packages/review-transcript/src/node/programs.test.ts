import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChangeState } from '@backstitch/review-core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openTranscript, type Transcript } from './index.ts';

/** Runs with a transcript over these bytes, twice opened, and removes it. */
async function withTranscript(
  bytes: string | Uint8Array,
  use: (transcript: Transcript, other: Transcript) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'transcript-'));
  const path = join(directory, 's.jsonl');
  writeFileSync(path, bytes);
  const transcript = await openTranscript({ path });
  const other = await openTranscript({ path });
  try {
    await use(transcript, other);
  } finally {
    await transcript.close();
    await other.close();
    rmSync(directory, { recursive: true });
  }
}

const messageIds = fc.constantFrom('m1', 'm2', '__proto__');
const states = fc.constantFrom<ChangeState>('kept', 'active', 'rolledBack');
const steps = fc.oneof(
  fc.record({ do: fc.constant('append' as const), id: messageIds, text: fc.string({ unit: 'binary' }) }),
  fc.record({ do: fc.constant('state' as const), id: messageIds, state: states }),
  fc.record({ do: fc.constant('foreign' as const), bytes: fc.uint8Array({ maxLength: 12 }) }),
  fc.record({
    do: fc.constant('foreignLine' as const),
    id: messageIds,
    end: fc.constantFrom('', '\n', '\r\n'),
  }),
);
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

async function run(transcript: Transcript, step: Step): Promise<void> {
  if (step.do === 'append') await transcript.append({ type: 'tool', id: step.id, text: step.text });
  else if (step.do === 'state') {
    await transcript.appendReviewState({ messageId: step.id, snapshotId: 's', state: step.state });
  } else if (step.do === 'foreign') appendFileSync(transcript.path, step.bytes);
  else appendFileSync(transcript.path, `${JSON.stringify({ type: 'message', id: step.id })}${step.end}`);
}

it('[D12] [A1] after every step the bytes before it are a prefix, and warm and cold readers agree', async () => {
  const programs = fc.array(fc.tuple(steps, fc.boolean()), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), programs, (bytes, program) =>
      withTranscript(bytes, async (one, two) => {
        for (const [step, first] of program) {
          const before = readFileSync(one.path);
          await run(first ? one : two, step);
          expect(readFileSync(one.path).subarray(0, before.length).equals(before)).toBe(true);
          await one.reviewStates();
        }
        // Ends a tail, so that what stands there is judged once and for all.
        await two.append({ type: 'session' });
        const cold = await openTranscript({ path: one.path });
        const expected = (await cold.readAll()).items;
        await cold.close();
        for (const each of [one, two]) {
          expect((await each.readWindow({ limit: 1000 })).items).toEqual(expected);
          expect(await each.findTool('m1')).toEqual(ownerOf(expected, 'm1'));
        }
      }),
    ),
    { numRuns: 60 },
  );
}, 60_000);

type Items = Awaited<ReturnType<Transcript['readAll']>>['items'];

function ownerOf(items: Items, id: string): Items[number] | null {
  const of = (type: string) => items.findLast((item) => item.type === type && item.id === id);
  return of('tool') ?? of('message') ?? null;
}

it('pages miss no line and repeat none while lines and states are appended', async () => {
  const sizes = {
    before: fc.nat(12),
    limit: fc.integer({ min: 1, max: 5 }),
    growth: fc.array(steps, { maxLength: 12 }),
  };
  await fc.assert(
    fc.asyncProperty(fc.record(sizes), ({ before, limit, growth }) =>
      withTranscript('', async (transcript, other) => {
        for (let i = 0; i < before; i++) await transcript.append({ type: 'message', id: `old-${i}` });
        const added = growth.filter((step) => step.do === 'append' || step.do === 'state');
        const grow = async (): Promise<void> => {
          const step = added.shift();
          if (step !== undefined) await run(other, step);
        };
        const newest = await transcript.readWindow({ limit });
        const seen = [newest.items];
        for (let page = newest; page.prevCursor !== null; seen.unshift(page.items)) {
          await grow();
          page = await transcript.readWindow({ before: page.prevCursor, limit });
        }
        expect(seen.flat().map((item) => item.id)).toEqual(
          Array.from({ length: before }, (_, i) => `old-${i}`),
        );
        const later = seen.flat().map((item) => item.review.offset);
        for (let from: string | null = newest.endCursor; from !== null; ) {
          await grow();
          const page = await transcript.readWindow({ after: from, limit });
          later.push(...page.items.map((item) => item.review.offset));
          from = page.nextCursor;
        }
        const all = (await transcript.readAll()).items.map((item) => item.review.offset);
        expect(later).toEqual(all.slice(0, later.length));
        expect(later.length).toBeGreaterThanOrEqual(before);
      }),
    ),
    { numRuns: 30 },
  );
}, 60_000);

it('[C049] [D10] each cut of a line is a tail: old lines are read, and the next append makes it damage', async () => {
  const good = '{"type":"tool","id":"m1"}\n';
  const line = Buffer.from('{"type":"tool","id":"m2","text":"é 日 😀"}');
  for (let cut = 1; cut < line.length; cut++) {
    const bytes = Buffer.concat([Buffer.from(good), line.subarray(0, cut)]);
    await withTranscript(bytes, async (transcript, other) => {
      expect((await transcript.readAll()).items.map((item) => item.id)).toEqual(['m1']);
      expect((await transcript.health()).damaged).toEqual([
        { offset: good.length, length: cut, reason: 'tail' },
      ]);
      expect((await other.append({ type: 'tool', id: 'm3' })).offset).toBe(bytes.length + 1);
      expect((await transcript.readAll()).items.map((item) => item.id)).toEqual(['m1', 'm3']);
      expect((await transcript.health()).damaged).toMatchObject([{ offset: good.length, length: cut }]);
    });
  }
});
