import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLockProvider, type OwnerRecord } from '../index.ts';
import { folder } from '../test-support/folders.ts';
import { held, plantOwner } from '../test-support/locks.ts';
import { contend } from './contender.ts';
import { describeMachine, linuxState, parsePs } from './machine.ts';
import { createRecordFile } from './record-file.ts';

const KEY = 'd'.repeat(64);

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
      record: createRecordFile(directory, 'test', provider.owner),
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

describe('what a system says of a process', () => {
  const stat = (name: string, state: string): string => `42 (${name}) ${state} ${'0 '.repeat(18)}777 0 0`;

  it.each<[string, string | null, unknown]>([
    ['runs', stat('node', 'S'), { start: '777' }],
    ['is stopped', stat('node', 'T'), { start: '777' }],
    ['is a zombie', stat('node', 'Z'), 'zombie'],
    ['has brackets and blanks in its name', stat('a) Z (b c', 'S'), { start: '777' }],
    ['is hidden', null, 'unknown'],
    ['is of another namespace', stat('node', 'S').replace('42', '7'), 'unknown'],
    ['is told in part', '42 (node) S 1', 'unknown'],
  ])('Linux: %s', (_, text, expected) => {
    expect(linuxState(text, 42)).toEqual(expected);
  });

  it.each([
    ['Ss   Tue Dec  1 00:00:00 2026\n', { start: 'Tue Dec  1 00:00:00 2026' }],
    ['Z    Tue Dec  1 00:00:00 2026\n', 'zombie'],
    ['', 'unknown'],
  ])('macOS: %j', (text, expected) => {
    expect(parsePs(text)).toEqual(expected);
  });
});
