import fs from 'node:fs';
import path from 'node:path';
import { createLockProvider, sha256 } from '@backstitch/durable-node';
import { storeContract } from '@backstitch/review-core/testing';
import { describe, expect, it } from 'vitest';
import { flipBit, journalOf, makeDir, open, sessionDir, spawnChild } from './store-sandbox.fixture.ts';

/** Where line `index` of a file begins. */
function lineStart(file: string, index: number): number {
  const lines = fs.readFileSync(file, 'latin1').split('\n');
  return lines.slice(0, index).reduce((sum, line) => sum + line.length + 1, 0);
}

async function breakLock(directory: string, id: string): Promise<void> {
  const locks = createLockProvider({ directory: path.join(directory, 'locks') });
  const key = sha256(Buffer.from(id));
  const busy = await locks.acquire(key, { timeoutMs: 0 });
  expect('busy' in busy && (await locks.breakLock(key, { ...busy, reason: 'the test says so' }))).toBe(true);
}

storeContract({
  describe,
  it,
  async setup() {
    const directory = path.join(makeDir(), 'store');
    const store = await open(directory);
    return {
      store,
      reopen: () => open(directory),
      async hold(id) {
        const held = await (await open(directory)).session(id);
        let release = (): void => {};
        let done: Promise<unknown> = Promise.resolve();
        await new Promise<void>((entered) => {
          done = held!.write(async () => {
            entered();
            await new Promise<void>((resolve) => {
              release = resolve;
            });
          });
        });
        return async () => {
          release();
          await done;
        };
      },
      takeAway: (id) => breakLock(directory, id),
      damage: async (id, index) =>
        flipBit(journalOf(directory, id), lineStart(journalOf(directory, id), index) + 12),
      tear: async (id) => fs.appendFileSync(journalOf(directory, id), '{"v":1,"t":"kept","ge'),
      loseBytes: async (id, { segment, offset }) =>
        flipBit(path.join(sessionDir(directory, id), segment), offset),
      removeSession: async (id) => fs.rmSync(sessionDir(directory, id), { recursive: true }),
      async deadOwner() {
        const child = spawnChild(['owner', directory, 'of-the-child']);
        const owner = JSON.parse(await child.line());
        await child.ended;
        return owner;
      },
      cleanup: () => store.close(),
    };
  },
});
