import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { open, testDirectory } from './testing/files.ts';

const MIB = 1024 * 1024;

describe('large transcripts', () => {
  it('[C056] works past the string limit: one state looked up and one appended behind 560 MiB', async () => {
    const path = join(testDirectory(), 's.jsonl');
    writeFileSync(path, '{"type":"tool","id":"m1"}\n');
    truncateSync(path, 560 * MIB);
    const lines =
      '{"type":"tool","id":"m2","text":"far"}\n{"type":"tool_review_state","messageId":"m1","snapshotId":"s1","state":"kept"}\n';
    appendFileSync(path, `\n${lines}`);
    const transcript = await open(path);
    expect(await transcript.reviewStates()).toEqual({ m1: { s1: 'kept' } });
    expect(await transcript.findTool('m2')).toEqual({
      type: 'tool',
      id: 'm2',
      text: 'far',
      review: { ordinal: 1, offset: 560 * MIB + 1, length: 38, states: {} },
    });
    const state = { messageId: 'm1', snapshotId: 's1', state: 'rolledBack' } as const;
    expect(await transcript.appendReviewState(state)).toBe('appended');
    expect((await transcript.findTool('m1'))?.review.states).toEqual({ s1: 'rolledBack' });
    expect((await transcript.health()).damaged).toEqual([
      { offset: 26, length: 560 * MIB - 26, reason: 'nul' },
    ]);
  });

  it('[A11] a warm state append, and a warm point read, read a few lines and not the file', async (context) => {
    context.skip(process.platform !== 'linux', 'bytes read are counted by Linux alone');
    const path = join(testDirectory(), 's.jsonl');
    const line = (id: number) => `{"type":"tool","id":"m${id}","text":"${'x'.repeat(10_000)}"}\n`;
    writeFileSync(path, Array.from({ length: 3000 }, (_, id) => line(id)).join(''));
    const transcript = await open(path);
    const cold = await bytesRead(() => transcript.reviewStates());
    expect(cold).toBeGreaterThan(30_000_000);
    const state = { messageId: 'm7', snapshotId: 's', state: 'kept' } as const;
    await transcript.appendReviewState(state);
    const other = await open(path);
    await other.reviewStates();
    const warm = await bytesRead(async () => {
      await transcript.appendReviewState({ ...state, state: 'rolledBack' });
      await transcript.findTool('m2999');
      await other.appendReviewState({ ...state, messageId: 'm8' });
      await transcript.findTool('m8');
    });
    expect(warm).toBeLessThan(500_000);
    expect(await transcript.reviewStates()).toEqual({ m7: { s: 'rolledBack' }, m8: { s: 'kept' } });
  });
});

/** By this process; other tests of the file have ended. */
async function bytesRead(step: () => Promise<unknown>): Promise<number> {
  const count = (): number => Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
  const before = count();
  await step();
  return count() - before;
}
