import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLockProvider } from '../index.ts';
import { folder } from '../test-support/folders.ts';
import { held } from '../test-support/locks.ts';
import { takeGeneration } from './held-lock.ts';
import { createRecordFile, type RecordFile } from './record-file.ts';

const KEY = 'a'.repeat(64);

describe('a lock in one process', () => {
  it('is held by one provider, and goes on to the next generation', async () => {
    const directory = folder();
    const [a, b] = ['a', 'b'].map((app) => createLockProvider({ directory, app })) as [Provider, Provider];
    const first = held(await a.acquire(KEY));
    expect([first.key, first.generation, first.holds()]).toEqual([KEY, 1, true]);
    expect(await b.acquire(KEY, { timeoutMs: 0 })).toEqual({ busy: true, holder: a.owner, generation: 1 });
    first.release();
    expect(first.holds()).toBe(false);
    first.release();
    const second = held(await b.acquire(KEY));
    expect([second.generation, second.holds(), first.holds()]).toEqual([2, true, false]);
  });

  it('lets waiters of one provider through in turn, and each only for its bounded time', async () => {
    const provider = createLockProvider({ directory: folder() });
    const first = held(await provider.acquire(KEY));
    const late = await provider.acquire(KEY, { timeoutMs: 10 });
    expect(late).toEqual({ busy: true, holder: provider.owner, generation: 1 });
    const order: number[] = [];
    const waiting = [1, 2, 3].map(async (n) => {
      const lock = held(await provider.acquire(KEY));
      order.push(n);
      lock.release();
    });
    first.release();
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3]);
  });

  it('gives other keys meanwhile', async () => {
    const provider = createLockProvider({ directory: folder() });
    held(await provider.acquire('one'));
    expect(held(await provider.acquire('two')).generation).toBe(1);
  });

  it('keeps private files', async () => {
    const directory = join(folder(), 'locks');
    const before = process.umask(0);
    try {
      held(await createLockProvider({ directory }).acquire(KEY));
    } finally {
      process.umask(before);
    }
    const modes = ['', KEY, `${KEY}/000000000001.own`, '.owners'].map(
      (name) => statSync(join(directory, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o700, 0o600, 0o700]);
  });

  it('keeps the directory small', async () => {
    const directory = folder();
    const provider = createLockProvider({ directory });
    for (let i = 0; i < 100; i++) held(await provider.acquire(KEY)).release();
    const names = readdirSync(join(directory, KEY)).sort();
    expect(names).toHaveLength(18);
    expect([names[0], names.at(-1)]).toEqual(['000000000092.own', '000000000100.rel']);
  });

  it('makes its source file again when somebody removed it, and removes it on close', async () => {
    const directory = folder();
    const provider = createLockProvider({ directory });
    held(await provider.acquire(KEY)).release();
    renameSync(join(directory, '.owners'), join(directory, 'gone'));
    const lock = held(await provider.acquire(KEY));
    expect(lock.generation).toBe(2);
    provider.close();
    expect(readdirSync(join(directory, '.owners'))).toEqual([]);
    expect(lock.holds()).toBe(true);
    lock.release();
    expect(held(await provider.acquire(KEY)).generation).toBe(3);
  });

  it('goes above the number that was written down elsewhere', async () => {
    const directory = folder();
    const provider = createLockProvider({ directory });
    const lock = held(await provider.acquire(KEY, { above: 41 }));
    expect([lock.generation, lock.holds()]).toEqual([42, true]);
    expect(await createLockProvider({ directory }).acquire(KEY, { timeoutMs: 0 })).toMatchObject({
      busy: true,
      generation: 42,
    });
    lock.release();
    expect(held(await provider.acquire(KEY, { above: 7 })).generation).toBe(43);
  });

  it.each(['', '.owners', '..', 'a/b', 'x'.repeat(201), 'a b'])('refuses the key %j', async (key) => {
    const provider = createLockProvider({ directory: folder() });
    await expect(provider.acquire(key)).rejects.toMatchObject({ code: 'invalidArgument' });
  });

  it.each([{ timeoutMs: -1 }, { timeoutMs: Number.NaN }, { above: -1 }, { above: 0.5 }])(
    'refuses %j',
    async (options) => {
      const provider = createLockProvider({ directory: folder() });
      await expect(provider.acquire(KEY, options)).rejects.toMatchObject({ code: 'invalidArgument' });
    },
  );

  it('says so when its directory is a file', async () => {
    const directory = join(folder(), 'file');
    writeFileSync(directory, '');
    const provider = createLockProvider({ directory });
    await expect(provider.acquire(KEY)).rejects.toMatchObject({ code: 'ioFailed', errno: 'ENOTDIR' });
  });
});

describe('the second look', () => {
  it('withdraws from a number that was pruned long ago', async () => {
    const directory = folder();
    const provider = createLockProvider({ directory });
    const lock = held(await provider.acquire(KEY));
    lock.release();
    for (let i = 2; i <= 30; i++) held(await provider.acquire(KEY)).release();
    // The rival looked when generation 1 was released, then slept while 2 to 30 came and went.
    const rival = createLockProvider({ directory });
    expect(takeGeneration(recordOf(directory, rival), join(directory, KEY), 1, 0)).toBeNull();
    const numbers = readdirSync(join(directory, KEY)).map((name) => Number.parseInt(name, 10));
    expect(Math.min(...numbers)).toBe(22);
    const next = held(await rival.acquire(KEY));
    expect(next.generation).toBe(31);
  });

  it('withdraws where the directory was taken away and made anew', async () => {
    const directory = folder();
    const provider = createLockProvider({ directory });
    for (let i = 0; i < 5; i++) held(await provider.acquire(KEY)).release();
    renameSync(join(directory, KEY), join(directory, 'trash'));
    const lock = held(await provider.acquire(KEY));
    expect(lock.generation).toBe(1);
    const rival = createLockProvider({ directory });
    expect(takeGeneration(recordOf(directory, rival), join(directory, KEY), 5, 0)).toBeNull();
    expect(lock.holds()).toBe(true);
    expect(readdirSync(join(directory, KEY))).toEqual(['000000000001.own']);
  });
});

describe('breakLock', () => {
  it('[C085] takes a lock from its holder, who learns it when it looks', async () => {
    const directory = folder();
    const [a, b] = [createLockProvider({ directory }), createLockProvider({ directory })];
    const lock = held(await a.acquire(KEY));
    expect(await b.breakLock(KEY, { generation: 2, reason: 'a typing error' })).toBe(false);
    expect(lock.holds()).toBe(true);
    expect(await b.breakLock(KEY, { generation: 1, reason: 'its window hangs' })).toBe(true);
    expect(lock.holds()).toBe(false);
    const note = JSON.parse(readFileSync(join(directory, KEY, '000000000001.rel'), 'utf8'));
    expect(note).toEqual({ v: 1, brokenBy: b.owner, reason: 'its window hangs' });
    const next = held(await b.acquire(KEY));
    lock.release();
    expect([next.generation, next.holds()]).toEqual([2, true]);
    expect(await b.breakLock(KEY, { generation: 1, reason: 'again' })).toBe(false);
  });

  it('[D6] tells a holder that slept through its breaking and many generations after it', async () => {
    const directory = folder();
    const [a, b] = [createLockProvider({ directory }), createLockProvider({ directory })];
    const lock = held(await a.acquire(KEY));
    await b.breakLock(KEY, { generation: 1, reason: 'test' });
    for (let i = 0; i < 30; i++) held(await b.acquire(KEY)).release();
    expect(held(await b.acquire(KEY)).generation).toBe(32);
    expect(lock.holds()).toBe(false);
  });

  it('answers false where nobody holds it, and wants a reason', async () => {
    const provider = createLockProvider({ directory: folder() });
    expect(await provider.breakLock(KEY, { generation: 1, reason: 'x' })).toBe(false);
    held(await provider.acquire(KEY)).release();
    expect(await provider.breakLock(KEY, { generation: 1, reason: 'x' })).toBe(false);
    await expect(provider.breakLock(KEY, { generation: 1, reason: '' })).rejects.toMatchObject({
      code: 'invalidArgument',
    });
  });
});

type Provider = ReturnType<typeof createLockProvider>;

function recordOf(directory: string, { owner }: Provider): RecordFile {
  return createRecordFile(directory, `${owner.nonce}-rival`, owner);
}
