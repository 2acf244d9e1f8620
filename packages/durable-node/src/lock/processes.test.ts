import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { createLockProvider, type OwnerRecord } from '../index.ts';
import { startChild } from '../test-support/children.ts';
import { folder } from '../test-support/folders.ts';
import { held, plantOwner } from '../test-support/locks.ts';

const KEY = 'b'.repeat(64);
const take = { do: 'acquire', key: KEY, timeoutMs: 0 };

/** Long enough for nine processes to start on a busy machine; nothing is measured by it. */
describe('a lock between processes', { timeout: 120_000 }, () => {
  it('[D7] [C086] goes on when its holder was killed, at once and to one contender', async () => {
    const directory = folder();
    const child = await startChild('lock-child.ts', directory);
    expect(await child.ask(take)).toEqual({ generation: 1 });
    const provider = createLockProvider({ directory });
    expect(await provider.acquire(KEY, { timeoutMs: 20 })).toMatchObject({
      busy: true,
      holder: { pid: child.pid, app: 'child' },
    });
    await child.kill();
    expect(held(await provider.acquire(KEY, { timeoutMs: 0 })).generation).toBe(2);
  });

  it('[D7] stays with a holder that is stopped', async () => {
    const directory = folder();
    const child = await startChild('lock-child.ts', directory);
    await child.ask(take);
    child.signal('SIGSTOP');
    const provider = createLockProvider({ directory });
    expect(await provider.acquire(KEY, { timeoutMs: 200 })).toMatchObject({
      busy: true,
      holder: { pid: child.pid },
    });
    child.signal('SIGCONT');
    expect(await child.ask({ do: 'holds' })).toBe(true);
    await child.ask({ do: 'release' });
    expect(held(await provider.acquire(KEY)).generation).toBe(2);
  });

  it('waits for another process, and gets it when that one lets go', async () => {
    const directory = folder();
    const child = await startChild('lock-child.ts', directory);
    await child.ask(take);
    const waiting = createLockProvider({ directory }).acquire(KEY, { timeoutMs: 20_000 });
    await child.ask({ do: 'release' });
    expect(held(await waiting).generation).toBe(2);
  });

  it('[D6] a broken lock is known to its holder in another process', async () => {
    const directory = folder();
    const child = await startChild('lock-child.ts', directory);
    await child.ask(take);
    expect(await child.ask({ do: 'holds' })).toBe(true);
    const provider = createLockProvider({ directory });
    expect(await provider.breakLock(KEY, { generation: 1, reason: 'test' })).toBe(true);
    expect(await child.ask({ do: 'holds' })).toBe(false);
  });

  it('[D7] a dead lock has exactly one taker among 8 processes, 20 times', async () => {
    const directory = folder();
    const children = await Promise.all(
      Array.from({ length: 8 }, () => startChild('lock-child.ts', directory)),
    );
    const { owner } = createLockProvider({ directory });
    const dead: OwnerRecord[] = [
      { ...owner, nonce: 'dead', start: '1' },
      { ...owner, nonce: 'dead', bootId: 'another' },
      { ...owner, nonce: 'dead', pid: 4_194_303 },
    ];
    for (let round = 0; round < 20; round++) {
      const key = `round-${round}`;
      plantOwner(directory, key, 5, dead[round % dead.length]!);
      const answers = await Promise.all(children.map((child) => child.ask({ ...take, key, timeoutMs: 30 })));
      const winners = children.filter((_, i) => (answers[i] as { generation?: number }).generation === 6);
      expect(winners, `round ${round}`).toHaveLength(1);
      const losers = answers.filter((answer) => 'busy' in (answer as object));
      expect(losers).toEqual(Array(7).fill({ busy: true, pid: winners[0]!.pid }));
      await winners[0]!.ask({ do: 'release' });
    }
  });

  it('tells two threads of one process apart', async () => {
    const directory = folder();
    const code = `
      const { parentPort, workerData } = require('node:worker_threads');
      require('tsx/esm/api').register();
      import(workerData.module).then(async ({ createLockProvider }) => {
        const provider = createLockProvider({ directory: workerData.directory });
        const got = await provider.acquire(workerData.key, { timeoutMs: 0 });
        parentPort.postMessage({ busy: 'busy' in got, thread: provider.owner.thread, holder: got.holder?.nonce });
      });`;
    const provider = createLockProvider({ directory });
    held(await provider.acquire(KEY));
    const workerData = { module: join(import.meta.dirname, '../index.ts'), directory, key: KEY };
    const worker = new Worker(code, { eval: true, workerData });
    const answer = await new Promise((resolve, reject) =>
      worker.once('message', resolve).once('error', reject),
    );
    await worker.terminate();
    expect(answer).toMatchObject({ busy: true, holder: provider.owner.nonce });
    expect((answer as { thread: number }).thread).not.toBe(provider.owner.thread);
  });
});
