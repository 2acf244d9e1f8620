import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBounded, sha256 } from './index.ts';
import { folder } from './test-support/folders.ts';

const MIB = 1024 * 1024;

describe('readBounded', () => {
  it('reads a file up to the cap, with its stamps', async () => {
    const path = join(folder(), 'f');
    writeFileSync(path, 'hello', { mode: 0o640 });
    linkSync(path, `${path}2`);
    const read = await readBounded(path, { cap: 5 });
    expect(read).toMatchObject({
      kind: 'file',
      size: 5,
      mode: 0o640,
      nlink: 2,
      digest: sha256(Buffer.from('hello')),
    });
    expect(read.kind === 'file' && Buffer.from(read.bytes!).toString()).toBe('hello');
  });

  it('takes the digest alone over the cap, and where no bytes are wanted', async () => {
    const path = join(folder(), 'f');
    const bytes = Buffer.alloc(3 * MIB + 1, 'abc');
    writeFileSync(path, bytes);
    const expected = { kind: 'file', bytes: null, digest: sha256(bytes), size: bytes.length };
    expect(await readBounded(path, { cap: bytes.length - 1 })).toMatchObject(expected);
    expect(await readBounded(path, { cap: bytes.length, keep: false })).toMatchObject(expected);
    const kept = await readBounded(path, { cap: bytes.length });
    expect(kept.kind === 'file' && Buffer.compare(kept.bytes!, bytes)).toBe(0);
    writeFileSync(path, '');
    expect(await readBounded(path, { cap: 0 })).toMatchObject({
      kind: 'file',
      size: 0,
      bytes: new Uint8Array(),
    });
  });

  it('[C094] [D9] answers at once for what is no regular file, and blocks nothing', async () => {
    const directory = folder();
    const at = (name: string): string => join(directory, name);
    const server = createServer().listen(at('socket'));
    await once(server, 'listening');
    spawnSync('mkfifo', [at('fifo')]);
    mkdirSync(at('dir'));
    symlinkSync('/dev/zero', at('link'));
    writeFileSync(at('plain'), 'x');
    const paths = [
      at('socket'),
      at('fifo'),
      at('dir'),
      at('link'),
      '/dev/zero',
      at('none'),
      at('plain/x'),
      at('n'.repeat(300)),
    ];
    const kinds = await Promise.all(paths.map(async (path) => (await readBounded(path, { cap: 10 })).kind));
    server.close();
    expect(kinds).toEqual([
      'socket',
      'fifo',
      'directory',
      'symlink',
      'device',
      'missing',
      'missing',
      'unreadable',
    ]);
    await Promise.all(Array.from({ length: 4 }, () => readBounded(at('fifo'), { cap: 10 })));
    expect(await readFile(at('plain'), 'utf8')).toBe('x');
  });

  it('says the code of what it could not read', async () => {
    const directory = folder();
    expect(await readBounded(join(directory, 'no'), { cap: 1 })).toEqual({
      kind: 'missing',
      errno: 'ENOENT',
    });
    expect(await readBounded(join(directory, 'n'.repeat(256)), { cap: 1 })).toEqual({
      kind: 'unreadable',
      errno: 'ENAMETOOLONG',
    });
  });

  it.each([
    ['grows', (path: string) => appendFileSync(path, 'x')],
    ['shrinks', (path: string) => truncateSync(path, 3 * MIB)],
    [
      'is rewritten in place',
      (path: string) => writeFileSync(path, Buffer.alloc(8 * MIB, 1), { flag: 'r+' }),
    ],
  ])('[D9] notices a file that %s meanwhile', async (_, change) => {
    const path = join(folder(), 'f');
    writeFileSync(path, Buffer.alloc(8 * MIB));
    const reading = readBounded(path, { cap: 16 * MIB });
    change(path);
    expect(await reading).toEqual({ kind: 'changing', errno: null });
  });

  it('[D9] holds no more than a slice of a large file', async () => {
    const path = join(folder(), 'f');
    writeFileSync(path, '');
    truncateSync(path, 256 * MIB);
    const before = process.memoryUsage.rss();
    let highest = 0;
    const reading = readBounded(path, { cap: MIB });
    const watch = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage.rss());
    }, 5);
    const read = await reading;
    clearInterval(watch);
    expect(read).toMatchObject({ kind: 'file', bytes: null, size: 256 * MIB });
    expect(highest - before).toBeLessThan(32 * MIB);
  });

  it.each([-1, 1.5, Number.NaN])('refuses the cap %d', async (cap) => {
    await expect(readBounded('/dev/null', { cap })).rejects.toMatchObject({ code: 'invalidArgument' });
  });
});
