import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLockProvider, type OwnerRecord } from '../index.ts';
import { folder } from '../test-support/folders.ts';
import { held, plantOwner } from '../test-support/locks.ts';
import { contend } from './contender.ts';
import { takeGeneration } from './held-lock.ts';
import { describeMachine } from './machine.ts';
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

describe('whose owner is dead', () => {
  // It takes no lock, so its directory is never made.
  const self = createLockProvider({ directory: '/nowhere' });
  const other = (changes: Partial<OwnerRecord>): OwnerRecord => ({
    ...self.owner,
    nonce: 'other',
    ...changes,
  });
  const NO_SUCH_PID = 4_194_303;

  it.each<[string, boolean, Partial<OwnerRecord>]>([
    ['another provider of this process', false, {}],
    ['a pid that is not there', true, { pid: NO_SUCH_PID }],
    ['a pid that is used again', true, { start: '1' }],
    ['another boot', true, { bootId: 'another' }],
    ['another boot of another host', false, { bootId: 'another', hostId: 'another' }],
    ['another host', false, { pid: NO_SUCH_PID, hostId: 'another' }],
    ['another pid namespace', false, { pid: NO_SUCH_PID, pidNamespace: 'pid:[1]' }],
    [
      'another time namespace, where starts are counted otherwise',
      false,
      { start: '1', timeNamespace: 'time:[1]' },
    ],
    ['an owner that could not tell its start', false, { start: null }],
    ['an owner that could not tell its namespace', false, { pid: NO_SUCH_PID, pidNamespace: null }],
    ['an owner that could not tell its boot', false, { bootId: null }],
    ['no machine id, the same boot', true, { pid: NO_SUCH_PID, hostId: null }],
    ['no machine id, another boot', false, { pid: NO_SUCH_PID, hostId: null, bootId: 'another' }],
  ])('[D7] %s: %s', async (_, dead, changes) => {
    expect(await self.isOwnerDead(other(changes))).toBe(dead);
    const directory = folder();
    plantOwner(directory, KEY, 7, other(changes));
    const got = await createLockProvider({ directory }).acquire(KEY, { timeoutMs: 0 });
    if (dead) expect(held(got).generation).toBe(8);
    else expect(got).toEqual({ busy: true, holder: other(changes), generation: 7 });
  });

  it.each([null, undefined, 1, 'x', {}, { v: 2 }, []])(
    'takes %j for no record, and proves nothing',
    async (value) => {
      expect(await self.isOwnerDead(value)).toBe(false);
    },
  );

  it("asks the host where it can't tell", async () => {
    const directory = folder();
    plantOwner(directory, KEY, 1, other({ pidNamespace: 'pid:[1]' }));
    const asked: OwnerRecord[] = [];
    const provider = createLockProvider({
      directory,
      isOwnerDead: (owner) => {
        asked.push(owner);
        return true;
      },
    });
    expect(held(await provider.acquire(KEY, { timeoutMs: 0 })).generation).toBe(2);
    expect(asked).toEqual([other({ pidNamespace: 'pid:[1]' })]);
  });

  it("gives the key back when the host's proof throws", async () => {
    const directory = folder();
    plantOwner(directory, KEY, 1, other({ hostId: 'another' }));
    let broken = true;
    const provider = createLockProvider({
      directory,
      isOwnerDead: () => {
        if (broken) throw new Error('no answer');
        return true;
      },
    });
    await expect(provider.acquire(KEY)).rejects.toThrow('no answer');
    broken = false;
    expect(held(await provider.acquire(KEY)).generation).toBe(2);
  });

  it.each(['', '\0'.repeat(300), '{"v":1,"pid":', '{"pid":4194303,"start":"1","host":"HOST-A"}'])(
    '[C086] holds a record that can not be read (%j), unless it is from before the boot',
    async (bytes) => {
      const directory = folder();
      plantOwner(directory, KEY, 3, bytes);
      const got = await createLockProvider({ directory }).acquire(KEY, { timeoutMs: 0 });
      expect(got).toEqual({ busy: true, holder: null, generation: 3 });
    },
  );

  it.each([
    ['takes', 60_000, 4],
    ['leaves', -60_000, null],
  ])('%s an unreadable record made %i ms before the boot', async (_, offset, expected) => {
    const directory = folder();
    plantOwner(directory, KEY, 3, '');
    const provider = createLockProvider({ directory });
    const contender = {
      owner: provider.owner,
      machine: { ...describeMachine(), bootedAt: Date.now() + offset },
      record: recordOf(directory, provider),
      isOwnerDead: provider.isOwnerDead,
    };
    const taken = await contend(contender, join(directory, KEY), 0, 0);
    expect(taken).toBe(expected);
  });

  it('holds a lock file that is no file', async () => {
    const directory = folder();
    mkdirSync(join(directory, KEY, '000000000002.own'), { recursive: true });
    expect(await createLockProvider({ directory }).acquire(KEY, { timeoutMs: 0 })).toMatchObject({
      generation: 2,
      holder: null,
    });
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
