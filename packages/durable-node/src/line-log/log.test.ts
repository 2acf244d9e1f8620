import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openLineLog } from '../index.ts';
import { startChild } from '../test-support/children.ts';
import { entries } from '../test-support/entries.ts';
import { folder, tinyDisk, withUmask } from '../test-support/folders.ts';

/** Syncs are counted, and told to fail or to wait; writes let another program come first. No disk does so when asked. */
const syncs = vi.hoisted(() => ({
  count: 0,
  fail: false,
  gate: null as Promise<void> | null,
  beforeWrite: null as (() => void) | null,
}));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    writeSync: (...args: Parameters<typeof fs.writeSync>) => {
      syncs.beforeWrite?.();
      return fs.writeSync(...args);
    },
    fdatasync: (fd: number, done: (error: Error | null) => void) => {
      syncs.count += 1;
      const { fail, gate } = syncs;
      const run = (): void => {
        if (fail) done(Object.assign(new Error('EIO'), { code: 'EIO' }));
        else fs.fdatasync(fd, done);
      };
      if (gate === null) run();
      else void gate.then(run);
    },
  };
});

beforeEach(() => {
  Object.assign(syncs, { count: 0, fail: false, gate: null, beforeWrite: null });
});

const newPath = (): string => join(folder(), 'log.jsonl');

describe('append', () => {
  it('writes lines with their ends by one call, and says where they lie', async () => {
    const path = newPath();
    const log = await openLineLog({ path });
    expect(await log.append(['{"a":1}', '{"b":"é😀"}'])).toEqual([
      { offset: 0, length: 7 },
      { offset: 8, length: 14 },
    ]);
    expect(await log.append([])).toEqual([]);
    expect(await log.append(['[3]'])).toEqual([{ offset: 23, length: 3 }]);
    await log.sync();
    expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n{"b":"é😀"}\n[3]\n');
    const { ino, dev, size } = statSync(path, { bigint: true });
    expect(await log.identity()).toEqual({ ino, dev, size: Number(size) });
    await log.close();
  });

  it('[D15] makes the file 0600 under umask 000, or as told, and leaves the mode of an old one', async () => {
    const directory = folder();
    writeFileSync(join(directory, 'old'), '');
    chmodSync(join(directory, 'old'), 0o644);
    await withUmask(0, async () => {
      await (await openLineLog({ path: join(directory, 'new') })).close();
      await (await openLineLog({ path: join(directory, 'told'), mode: 0o640 })).close();
      await (await openLineLog({ path: join(directory, 'old') })).close();
    });
    const modes = ['new', 'told', 'old'].map((name) => statSync(join(directory, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o640, 0o644]);
  });

  it('closes a torn tail by a line end first, and cuts nothing off', async () => {
    const path = newPath();
    writeFileSync(path, '{"a":1}\n{"torn');
    const log = await openLineLog({ path });
    expect(await log.append(['{"b":2}'])).toEqual([{ offset: 15, length: 7 }]);
    await log.close();
    expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n{"torn\n{"b":2}\n');
  });

  it('[D12] the old bytes are a prefix of the new file, whatever they were', async () => {
    const directory = folder();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 60 }),
        fc.array(fc.json(), { minLength: 1, maxLength: 4 }),
        async (old, values) => {
          const path = join(directory, `log${run++}`);
          writeFileSync(path, old);
          const log = await openLineLog({ path, durability: 'none' });
          const lines = values.map((value) => JSON.stringify(JSON.parse(value)));
          const spans = await log.append(lines);
          await log.close();
          const bytes = readFileSync(path);
          expect(bytes.subarray(0, old.length).equals(Buffer.from(old))).toBe(true);
          const found = spans.map(({ offset, length }) => bytes.subarray(offset, offset + length).toString());
          expect(found).toEqual(lines);
          expect(bytes.at(-1)).toBe(0x0a);
          const heal = old.length > 0 && old.at(-1) !== 0x0a ? 1 : 0;
          expect(spans[0]!.offset).toBe(old.length + heal);
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each(['', '{"a":\n1}', '{}\r', '{}\0'])('refuses the line %j', async (line) => {
    const log = await openLineLog({ path: newPath() });
    await expect(log.append(['{}', line])).rejects.toMatchObject({ code: 'invalidArgument' });
    expect((await log.identity()).size).toBe(0);
    await log.close();
  });

  it('refuses a line that a reader would skip', async () => {
    const log = await openLineLog({ path: newPath(), maxLineBytes: 10 });
    await log.append(['"12345678"']);
    await expect(log.append(['"123456789"'])).rejects.toMatchObject({ code: 'tooLong' });
    await log.close();
  });

  it.each([
    ['removed', (path: string) => unlinkSync(path)],
    [
      'replaced',
      (path: string) => {
        writeFileSync(`${path}2`, 'x');
        renameSync(`${path}2`, path);
      },
    ],
  ])('refuses to append to a file that was %s', async (_, change) => {
    const path = newPath();
    const log = await openLineLog({ path });
    change(path);
    await expect(log.append(['{}'])).rejects.toMatchObject({ code: 'replaced', path });
    await log.close();
  });

  it('refuses what is no file, and says so', async () => {
    const directory = folder();
    mkdirSync(join(directory, 'd'));
    symlinkSync('target', join(directory, 'link'));
    for (const name of ['d', 'link']) {
      await expect(openLineLog({ path: join(directory, name) })).rejects.toMatchObject({ code: 'notAFile' });
    }
    await expect(openLineLog({ path: '/dev/null' })).rejects.toMatchObject({ code: 'notAFile' });
    await expect(openLineLog({ path: join(directory, 'no/log') })).rejects.toMatchObject({
      code: 'ioFailed',
      errno: 'ENOENT',
    });
  });

  it('[D5] [D12] a full disk leaves a fragment that the next append closes', async ({ skip }) => {
    const disk = tinyDisk(64 * 1024);
    if ('notRun' in disk) return skip(disk.notRun);
    const path = join(disk.path, 'log');
    const log = await openLineLog({ path });
    await log.append(['{"a":1}']);
    await expect(log.append([JSON.stringify('x'.repeat(100_000))])).rejects.toMatchObject({
      code: 'ioFailed',
      errno: 'ENOSPC',
      path,
    });
    const torn = readFileSync(path);
    expect(torn.subarray(0, 8).toString()).toBe('{"a":1}\n');
    expect(torn.length).toBeGreaterThan(8);
    // As when somebody made room: the last page has some left.
    truncateSync(path, 20_000);
    const [span] = await log.append(['{"b":2}']);
    expect(span).toEqual({ offset: 20_001, length: 7 });
    await log.close();
    expect(await entries(path)).toEqual([
      ['{"a":1}', 0, 7],
      ['damaged:json', 8, 19_992],
      ['{"b":2}', 20_001, 7],
    ]);
  });

  it('finds its lines when a program without the lock appended meanwhile', async () => {
    const path = newPath();
    const log = await openLineLog({ path });
    await log.append(['{"a":1}']);
    syncs.beforeWrite = () => appendFileSync(path, '{"foreign":true}\n');
    expect(await log.append(['{"b":2}', '{"c":3}'])).toEqual([
      { offset: 25, length: 7 },
      { offset: 33, length: 7 },
    ]);
    syncs.beforeWrite = () => truncateSync(path, 0);
    await expect(log.append(['{"d":4}'])).rejects.toMatchObject({ code: 'ioFailed', path });
    await log.close();
  });

  it('[C053] [D6] two processes under the lock never interleave', { timeout: 120_000 }, async () => {
    const [path, locks] = [newPath(), folder()];
    const names = ['one', 'two'];
    const children = await Promise.all(
      names.map((name) => startChild('append-child.ts', path, locks, name, '60')),
    );
    expect(await Promise.all(children.map((child) => child.ask('go')))).toEqual(['done', 'done']);
    const read = await entries(path);
    const values = read.map(([text]) => JSON.parse(text) as { name: string; i: number });
    expect(values).toHaveLength(120);
    for (const name of names) {
      const own = values.filter((value) => value.name === name);
      expect(own.map(({ i }) => i)).toEqual(Array.from({ length: 60 }, (_, i) => i));
    }
  });
});

describe('sync', () => {
  it('is shared by callers who came before it started, and by no others', async () => {
    const log = await openLineLog({ path: newPath() });
    let open: () => void = () => {};
    syncs.gate = new Promise((resolve) => {
      open = resolve;
    });
    await log.append(['1']);
    const first = log.sync();
    await new Promise((resolve) => setImmediate(resolve));
    expect(syncs.count).toBe(1);
    await log.append(['2']);
    const later = [log.sync(), log.sync(), log.sync()];
    open();
    await Promise.all([first, ...later]);
    expect(syncs.count).toBe(2);
    await log.close();
  });

  it('asks the disk for nothing at durability none', async () => {
    const log = await openLineLog({ path: newPath(), durability: 'none' });
    await log.append(['1']);
    await log.sync();
    await log.close();
    expect(syncs.count).toBe(0);
  });

  it('[D5] seals the log for ever when it fails, also for those who wait behind it', async () => {
    const path = newPath();
    const log = await openLineLog({ path });
    await log.append(['1']);
    syncs.fail = true;
    const first = log.sync();
    const shared = log.sync();
    const results = Promise.allSettled([first, shared]);
    await new Promise((resolve) => setImmediate(resolve));
    syncs.fail = false;
    const codes = (await results).map((result) => result.status === 'rejected' && result.reason.code);
    expect(codes).toEqual(['ioFailed', 'ioFailed']);
    await expect(log.sync()).rejects.toMatchObject({ code: 'sealed', errno: 'EIO' });
    await expect(log.append(['2'])).rejects.toMatchObject({ code: 'sealed', path });
    expect(syncs.count).toBe(1);
    await log.close();
    const again = await openLineLog({ path });
    await again.append(['2']);
    await again.sync();
    await again.close();
    expect(readFileSync(path, 'utf8')).toBe('1\n2\n');
  });

  it('is finished for those who asked before the log was closed', async () => {
    const log = await openLineLog({ path: newPath() });
    await log.append(['1']);
    const running = log.sync();
    await log.close();
    await running;
    await log.close();
    await expect(log.sync()).rejects.toMatchObject({ code: 'closed' });
    await expect(log.append(['1'])).rejects.toMatchObject({ code: 'closed' });
  });
});
