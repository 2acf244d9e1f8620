import {
  appendFileSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openPack, type PackLocator, sha256 } from '../index.ts';
import { folder, tinyDisk } from '../test-support/folders.ts';

/** Every sync is noted, and the ones of a named file are told to fail: no disk here can be made to. */
const syncs = vi.hoisted(() => ({
  failing: null as RegExp | null,
  gate: null as Promise<void> | null,
  log: [] as string[],
}));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const watched =
    (name: 'fsync' | 'fdatasync') =>
    (fd: number, done: (error: Error | null) => void): void => {
      const file = fs.readlinkSync(`/proc/self/fd/${fd}`).split('/').at(-1)!;
      const { failing, gate } = syncs;
      syncs.log.push(file);
      const run = (): void => {
        if (failing?.test(file)) done(Object.assign(new Error('EIO'), { code: 'EIO' }));
        else fs[name](fd, done);
      };
      if (gate === null) run();
      else void gate.then(run);
    };
  return { ...fs, fsync: watched('fsync'), fdatasync: watched('fdatasync') };
});

beforeEach(() => {
  Object.assign(syncs, { failing: null, gate: null, log: [] });
});

const bytesOf = (text: string): { bytes: Buffer; digest: string } => ({
  bytes: Buffer.from(text),
  digest: sha256(Buffer.from(text)),
});
const one = bytesOf('one');
const two = bytesOf('two');

describe('put, sync and get', () => {
  it('keeps bytes in one private segment and gives them back', async () => {
    const directory = folder();
    const pack = await openPack({ directory });
    const a = await pack.put(one.digest, one.bytes);
    const b = await pack.put(two.digest, two.bytes);
    const empty = await pack.put(sha256(new Uint8Array()), new Uint8Array());
    await pack.sync([a, b, empty]);
    await pack.sync();
    expect(a).toEqual({
      digest: one.digest,
      segment: expect.stringMatching(/^pack-[0-9a-f]{16}-0001\.bin$/),
      offset: 0,
      length: 3,
    });
    expect([b.segment, b.offset, empty.offset]).toEqual([a.segment, 3, 6]);
    expect(readFileSync(join(directory, a.segment), 'utf8')).toBe('onetwo');
    expect(statSync(join(directory, a.segment)).mode & 0o777).toBe(0o600);
    expect(Buffer.from((await pack.get(b))!).toString()).toBe('two');
    expect(await pack.get(empty)).toEqual(new Uint8Array());
    await pack.close();
  });

  it('[D4] syncs the directory with the first sync of a segment, and then no more', async () => {
    const directory = folder();
    const pack = await openPack({ directory });
    const a = await pack.put(one.digest, one.bytes);
    await pack.sync([a]);
    expect(syncs.log).toEqual([a.segment, directory.split('/').at(-1)]);
    await pack.sync([await pack.put(two.digest, two.bytes)]);
    expect(syncs.log.slice(2)).toEqual([a.segment]);
    await pack.close();
  });

  it('begins another segment when one is full, and syncs both', async () => {
    const directory = folder();
    const pack = await openPack({ directory, durability: 'none' });
    const large = Buffer.alloc(40 * 1024 * 1024, 1);
    const a = await pack.put(sha256(large), large);
    large[0] = 2;
    const b = await pack.put(sha256(large), large);
    await pack.sync([a, b]);
    expect([a.segment.slice(-8), b.segment.slice(-8), b.offset]).toEqual(['0001.bin', '0002.bin', 0]);
    expect(Buffer.compare((await pack.get(b))!, large)).toBe(0);
    await pack.close();
  });

  it('answers null for what is missing, damaged, made up, or no locator', async () => {
    const directory = folder();
    const pack = await openPack({ directory });
    const a = await pack.put(one.digest, one.bytes);
    await pack.sync();
    symlinkSync(join(directory, a.segment), join(directory, 'pack-0000000000000000-0001.bin'));
    const bad: unknown[] = [
      { ...a, offset: 1 },
      { ...a, length: 4 },
      { ...a, digest: two.digest },
      { ...a, offset: -1 },
      { ...a, length: 2 ** 40 },
      { ...a, segment: a.segment.replace('0001.bin', '0002.bin') },
      { ...a, segment: 'pack-0000000000000000-0001.bin' },
      { ...a, segment: '../secret' },
      null,
      {},
    ];
    for (const locator of bad)
      expect(await pack.get(locator as PackLocator), JSON.stringify(locator)).toBeNull();
    writeFileSync(join(directory, a.segment), 'onf');
    expect(await pack.get(a)).toBeNull();
    truncateSync(join(directory, a.segment), 0);
    expect(await pack.get(a)).toBeNull();
    await pack.close();
  });

  it('refuses a digest that is none, a directory that is not there, and everything after close', async () => {
    const directory = folder();
    const pack = await openPack({ directory });
    await expect(pack.put('ABC', one.bytes)).rejects.toMatchObject({ code: 'invalidArgument' });
    const nowhere = await openPack({ directory: join(directory, 'no') });
    await expect(nowhere.put(one.digest, one.bytes)).rejects.toMatchObject({
      code: 'ioFailed',
      errno: 'ENOENT',
    });
    const a = await pack.put(one.digest, one.bytes);
    await expect(pack.sync([{ ...a, offset: 5 }])).rejects.toMatchObject({ code: 'invalidArgument' });
    await pack.close();
    await pack.close();
    await expect(pack.put(one.digest, one.bytes)).rejects.toMatchObject({ code: 'closed' });
    await expect(pack.sync()).rejects.toMatchObject({ code: 'closed' });
    await expect(pack.get(a)).rejects.toMatchObject({ code: 'closed' });
  });

  it('[D5] leaves dead bytes on a full disk, and goes on behind them', async ({ skip }) => {
    const disk = tinyDisk(64 * 1024);
    if ('notRun' in disk) return skip(disk.notRun);
    const pack = await openPack({ directory: disk.path });
    const a = await pack.put(one.digest, one.bytes);
    const large = Buffer.alloc(100_000, 1);
    await expect(pack.put(sha256(large), large)).rejects.toMatchObject({ code: 'ioFailed', errno: 'ENOSPC' });
    const path = join(disk.path, a.segment);
    expect(statSync(path).size).toBeGreaterThan(3);
    truncateSync(path, 20_000);
    const b = await pack.put(two.digest, two.bytes);
    await pack.sync([a, b]);
    expect(b).toMatchObject({ segment: a.segment, offset: 20_000 });
    expect(Buffer.from((await pack.get(b))!).toString()).toBe('two');
    await pack.close();
  });

  it('goes on behind what another program left in its segment', async () => {
    const directory = folder();
    const pack = await openPack({ directory });
    const a = await pack.put(one.digest, one.bytes);
    appendFileSync(join(directory, a.segment), 'foreign');
    const b = await pack.put(two.digest, two.bytes);
    expect(b.offset).toBe(10);
    expect(Buffer.from((await pack.get(b))!).toString()).toBe('two');
    await pack.close();
  });
});

describe('reuse', () => {
  it('gives the same place for bytes of this pack, in flight or synced', async () => {
    const directory = folder();
    const pack = await openPack({ directory });
    const a = await pack.put(one.digest, one.bytes);
    expect(await pack.put(one.digest, one.bytes)).toEqual(a);
    await pack.sync([a]);
    expect(await pack.put(one.digest, one.bytes)).toEqual(a);
    expect(statSync(join(directory, a.segment)).size).toBe(3);
    await pack.close();
  });

  it('[D18] takes a hint only after it read, hashed and synced it, with the name of its segment', async () => {
    const directory = folder();
    const first = await openPack({ directory, durability: 'none' });
    const hint = await first.put(one.digest, one.bytes);
    await first.close();
    const pack = await openPack({ directory });
    const got = await pack.put(one.digest, one.bytes, { ...hint, extra: 'from a record' } as PackLocator);
    expect(got).toEqual(hint);
    expect(syncs.log).toEqual([hint.segment, directory.split('/').at(-1)]);
    await pack.put(one.digest, one.bytes, hint);
    expect(syncs.log).toHaveLength(2);
    await pack.sync([got]);
    expect(readdirSync(directory)).toEqual([hint.segment]);
    await pack.close();
  });

  type Spoil = (path: string, hint: PackLocator) => Partial<PackLocator> | undefined;
  it.each<[string, Spoil]>([
    ['bytes that a power cut took', (path) => void truncateSync(path, 0)],
    ['zeros in their place', (path) => void writeFileSync(path, '\0\0\0')],
    ['a segment that its writer sealed', (path) => void writeFileSync(`${path}.sealed`, '')],
    ['another digest', () => ({ digest: two.digest })],
    ['a path', (_, hint) => ({ segment: `../${hint.segment}` })],
    [
      'a segment that does not sync',
      (_, hint) => {
        syncs.failing = new RegExp(hint.segment);
        return {};
      },
    ],
  ])('[D18] writes anew where the hint leads to %s', async (_, spoil) => {
    const directory = folder();
    const first = await openPack({ directory });
    const hint = await first.put(one.digest, one.bytes);
    await first.sync();
    await first.close();
    const pack = await openPack({ directory });
    const changed = spoil(join(directory, hint.segment), hint);
    const got = await pack.put(one.digest, one.bytes, { ...hint, ...changed });
    expect(got.segment).not.toBe(hint.segment);
    await pack.sync([got]);
    expect(Buffer.from((await pack.get(got))!).toString()).toBe('one');
    await pack.close();
  });
});

describe('a failed sync', () => {
  it('[D18] seals its segment: nothing of it is reused, and the next put begins another', async () => {
    const directory = folder();
    const pack = await openPack({ directory });
    const a = await pack.put(one.digest, one.bytes);
    await pack.sync([a]);
    const b = await pack.put(two.digest, two.bytes);
    syncs.failing = /-0001\.bin$/;
    await expect(pack.sync([b])).rejects.toMatchObject({
      code: 'ioFailed',
      errno: 'EIO',
      path: join(directory, b.segment),
    });
    syncs.failing = null;
    await expect(pack.sync([b])).rejects.toMatchObject({ code: 'sealed', errno: 'EIO' });
    await expect(pack.sync()).rejects.toMatchObject({ code: 'sealed' });
    await pack.sync([a]);
    const again = [await pack.put(one.digest, one.bytes, a), await pack.put(two.digest, two.bytes, b)];
    expect(again.map(({ segment, offset }) => [segment.slice(-8), offset])).toEqual([
      ['0002.bin', 0],
      ['0002.bin', 3],
    ]);
    await pack.sync(again);
    expect(readdirSync(directory).filter((name) => name.endsWith('.sealed'))).toEqual([
      `${a.segment}.sealed`,
    ]);
    const other = await openPack({ directory });
    expect((await other.put(one.digest, one.bytes, a)).segment).not.toBe(a.segment);
    await Promise.all([pack.close(), other.close()]);
  });

  it('[D18] tells whoever put bytes while the failing sync ran, though they ask later', async () => {
    const directory = folder();
    const pack = await openPack({ directory });
    let open: () => void = () => {};
    syncs.gate = new Promise((resolve) => {
      open = resolve;
    });
    syncs.failing = /-0001\.bin$/;
    const a = await pack.put(one.digest, one.bytes);
    const first = pack.sync([a]);
    const seen = first.catch((error: { code: string }) => error.code);
    await new Promise((resolve) => setImmediate(resolve));
    const b = await pack.put(two.digest, two.bytes);
    open();
    expect(await seen).toBe('ioFailed');
    syncs.failing = null;
    syncs.gate = null;
    const c = await pack.put(one.digest, one.bytes);
    await expect(pack.sync([b])).rejects.toMatchObject({ code: 'sealed' });
    await pack.sync([c]);
    await pack.close();
  });

  it('[D4] of the directory counts as well: the name of the segment may be lost', async () => {
    const directory = folder();
    const pack = await openPack({ directory });
    const a = await pack.put(one.digest, one.bytes);
    syncs.failing = new RegExp(`^${directory.split('/').at(-1)}$`);
    await expect(pack.sync([a])).rejects.toMatchObject({ code: 'ioFailed', errno: 'EIO' });
    await pack.close();
  });
});
