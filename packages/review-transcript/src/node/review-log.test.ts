import { lstatSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogState } from '@backstitch/review-core';
import { logContract } from '@backstitch/review-core/testing';
import { describe, expect, it } from 'vitest';
import { openTranscript } from './index.ts';
import { open, openWith, testDirectory } from './testing/files.ts';

const ownerOf = (id: string, ...snapshotIds: string[]) => ({
  type: 'tool',
  id,
  details: { review: { snapshotIds } },
});

async function stateLines(path: string): Promise<LogState[]> {
  const texts = readFileSync(path, 'utf8')
    .split('\n')
    .filter((text) => text.includes('tool_review_state'));
  return texts.map((text) => {
    const { messageId, snapshotId, state } = JSON.parse(text);
    return { messageId, snapshotId, state };
  });
}

logContract({
  describe,
  it,
  async setup() {
    const directory = await mkdtemp(join(tmpdir(), 'transcript-'));
    const transcript = await openTranscript({ path: join(directory, 's.jsonl') });
    await transcript.append({ type: 'session' });
    return {
      log: transcript.reviewLog(),
      addOwner: async (messageId, snapshotIds) => {
        await transcript.append(ownerOf(messageId, ...snapshotIds));
      },
      lines: () => stateLines(transcript.path),
      cleanup: async () => {
        await transcript.close();
        await rm(directory, { recursive: true });
      },
    };
  },
});

describe('the log port onto a transcript', () => {
  it('writes a batch in one piece, in its order, the last state of a snapshot last', async () => {
    const transcript = await openWith('');
    for (const id of ['m1', 'm2']) await transcript.append(ownerOf(id, `${id}-a`, `${id}-b`));
    let touched = 0;
    const other = await open(transcript.path, () => {
      touched += 1;
    });
    const states: LogState[] = [
      { messageId: 'm1', snapshotId: 'm1-a', state: 'kept' },
      { messageId: 'm2', snapshotId: 'm2-b', state: 'rolledBack' },
      { messageId: 'm1', snapshotId: 'm1-a', state: 'kept' },
      { messageId: 'm1', snapshotId: 'm1-a', state: 'active' },
      { messageId: 'm1', snapshotId: 'm2-a', state: 'kept' },
    ];
    expect(await other.reviewLog().resync(states)).toEqual({ appended: 3, ownerMissing: 1 });
    expect(await stateLines(transcript.path)).toEqual([states[0], states[1], states[3]]);
    expect(touched).toBe(1);
    const { size } = lstatSync(transcript.path);
    expect(await other.reviewLog().resync([states[3]!, states[1]!])).toEqual({
      appended: 0,
      ownerMissing: 0,
    });
    expect(lstatSync(transcript.path).size).toBe(size);
  });

  it('an active snapshot without any line needs none, but is written where it is asked for by name', async () => {
    const transcript = await openWith('{"type":"message","id":"m1"}\n');
    const active = { messageId: 'm1', snapshotId: 's1', state: 'active' } as const;
    expect(await transcript.reviewLog().appendState(active)).toBe('duplicate');
    expect(await transcript.appendReviewState(active)).toBe('appended');
  });

  it('tells owners that other processes appended, on the next operation and once', async () => {
    const transcript = await openWith('{"type":"message","id":"old"}\n');
    const owners: string[] = [];
    const states: unknown[] = [];
    await transcript.reviewStates();
    const log = transcript.reviewLog();
    log.onOwner((messageId) => {
      owners.push(messageId);
      states.push(log.appendState({ messageId, snapshotId: `${messageId}-s`, state: 'rolledBack' }));
    });
    const other = await open(transcript.path);
    await other.append(ownerOf('foreign', 'foreign-s'));
    await other.append({ type: 'host.own', id: 'no-owner' });
    await transcript.readWindow({ limit: 1 });
    await transcript.append(ownerOf('own', 'own-s'));
    await transcript.readAll();
    expect(owners).toEqual(['foreign', 'own']);
    expect(await Promise.all(states)).toEqual(['appended', 'appended']);
  });

  it('[A10] a listener that throws is a warning, and the append stands', async () => {
    const transcript = await open(join(testDirectory(), 's.jsonl'));
    const warning = new Promise<Error>((resolve) => process.once('warning', resolve));
    transcript.reviewLog().onOwner(() => {
      throw new Error('the listener failed');
    });
    await transcript.append(ownerOf('m1', 's1'));
    expect((await warning).message).toBe('the listener failed');
  });
});
