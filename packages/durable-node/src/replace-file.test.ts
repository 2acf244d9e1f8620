import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replaceFile, TEMP_PREFIX } from './index.ts';
import { folder, tinyDisk, withUmask } from './test-support/folders.ts';
import { traced } from './test-support/strace.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

describe('replaceFile', () => {
  it('makes a new file, 0600, with exactly the bytes', async () => {
    const path = join(folder(), 'f');
    const bytes = Uint8Array.from({ length: 3 * 1024 * 1024 + 7 }, (_, i) => (i * 31) & 255);
    await replaceFile(path, bytes);
    expect(Buffer.compare(readFileSync(path), bytes)).toBe(0);
    expect(modeOf(path)).toBe(0o600);
    expect(readdirSync(join(path, '..'))).toEqual(['f']);
  });

  it.each(['000', '022', '077', '777'])(
    '[D15] keeps the mode or sets the given one under umask %s',
    async (mask) => {
      const directory = folder();
      const [kept, given, fresh] = ['kept', 'given', 'fresh'].map((name) => join(directory, name)) as [
        string,
        string,
        string,
      ];
      writeFileSync(kept, 'old');
      chmodSync(kept, 0o751);
      await withUmask(Number.parseInt(mask, 8), async () => {
        await replaceFile(kept, Buffer.from('new'));
        await replaceFile(given, Buffer.from('new'), { mode: 0o644 });
        await replaceFile(fresh, Buffer.from('new'));
      });
      expect([kept, given, fresh].map(modeOf)).toEqual([0o751, 0o644, 0o600]);
    },
  );

  it('[C097] works for names of 240 to 255 bytes', async () => {
    const directory = folder();
    for (let length = 240; length <= 255; length++) {
      await replaceFile(join(directory, 'n'.repeat(length)), Buffer.from('x'));
    }
    const lengths = readdirSync(directory).map((name) => name.length);
    expect(lengths.sort()).toEqual(Array.from({ length: 16 }, (_, i) => 240 + i));
  });

  it('replaces a symbolic link instead of following it', async () => {
    const directory = folder();
    writeFileSync(join(directory, 'elsewhere'), 'keep me');
    symlinkSync('elsewhere', join(directory, 'link'));
    await replaceFile(join(directory, 'link'), Buffer.from('new'));
    expect(readFileSync(join(directory, 'elsewhere'), 'utf8')).toBe('keep me');
    expect(readFileSync(join(directory, 'link'), 'utf8')).toBe('new');
  });

  it('fails before anything changed where a directory stands, or no parent does, and leaves no temp', async () => {
    const directory = folder();
    mkdirSync(join(directory, 'd/inner'), { recursive: true });
    await expect(replaceFile(join(directory, 'd'), Buffer.from('x'))).rejects.toMatchObject({
      code: 'ioFailed',
      errno: 'EISDIR',
      path: join(directory, 'd'),
    });
    await expect(replaceFile(join(directory, 'no/f'), Buffer.from('x'))).rejects.toMatchObject({
      errno: 'ENOENT',
    });
    expect(readdirSync(directory)).toEqual(['d']);
  });

  it('[C017] [D5] keeps the old bytes and no temp on a full disk', async ({ skip }) => {
    const disk = tinyDisk(128 * 1024);
    if ('notRun' in disk) return skip(disk.notRun);
    const path = join(disk.path, 'f');
    writeFileSync(path, 'the good old bytes');
    await expect(replaceFile(path, Buffer.alloc(200_000, 1))).rejects.toMatchObject({
      code: 'ioFailed',
      errno: 'ENOSPC',
    });
    expect(readFileSync(path, 'utf8')).toBe('the good old bytes');
    expect(readdirSync(disk.path)).toEqual(['f']);
    await replaceFile(path, Buffer.alloc(60_000, 2));
    expect(statSync(path).size).toBe(60_000);
  });

  it('[C017] [D5] keeps the old bytes and no temp over a file size limit', () => {
    const path = join(folder(), 'f');
    writeFileSync(path, 'the good old bytes');
    const child = join(import.meta.dirname, 'test-support/replace-child.ts');
    const run = spawnSync(
      'bash',
      [
        '-c',
        'ulimit -f 64; exec "$@"',
        'bash',
        process.execPath,
        '--conditions=@backstitch/source',
        '--import',
        'tsx',
      ].concat(child, path, 'x'.repeat(100_000)),
      // The loader would like to write its own cache, which is over the limit too.
      { encoding: 'utf8', env: { ...process.env, TSX_DISABLE_CACHE: '1' } },
    );
    expect(JSON.parse(run.stdout)).toEqual({ code: 'ioFailed', errno: 'EFBIG', path });
    expect(readFileSync(path, 'utf8')).toBe('the good old bytes');
    expect(readdirSync(join(path, '..'))).toEqual(['f']);
  });
});

describe('replaceFile, call by call', { timeout: 120_000 }, () => {
  const CALLS = 'openat,write,pwrite64,fchmod,fsync,rename,unlink';

  function start(): { path: string; text: () => string; names: () => string[] } {
    const path = join(folder(), 'target');
    writeFileSync(path, 'old');
    return {
      path,
      text: () => readFileSync(path, 'utf8'),
      names: () => readdirSync(join(path, '..')),
    };
  }

  it('[C016] [D4] writes, syncs the file, renames, syncs the directory, in this order', () => {
    const { path, text } = start();
    const { calls } = traced('replace-child.ts', [path, 'new'], CALLS);
    const directory = join(path, '..');
    const ours = calls.filter((call) => call.includes(directory) && !call.includes('O_RDONLY|O_CLOEXEC)'));
    const shown = ours.map((call) =>
      call
        .replaceAll(directory, 'D')
        .replace(/\.backstitch-[0-9a-f]{32}~/g, 'TEMP')
        .replace(/^(\w+)\((?:AT_FDCWD<[^>]*>, )?/, '$1(')
        .replace(/\b\d+</g, 'FD<'),
    );
    expect(shown.map((call) => call.replace(/\s+= .*$/, ''))).toEqual([
      'openat("D/TEMP", O_WRONLY|O_CREAT|O_EXCL|O_TRUNC|O_CLOEXEC, 0600)',
      'write(FD<D/TEMP>, "new", 3)',
      'fchmod(FD<D/TEMP>, 0644)',
      'fsync(FD<D/TEMP>)',
      'rename("D/TEMP", "D/target")',
      'openat("D", O_RDONLY|O_CLOEXEC|O_DIRECTORY)',
      'fsync(FD<D>)',
    ]);
    expect(text()).toBe('new');
  });

  it.each([
    ['fsync:error=EIO:when=1', { code: 'ioFailed', errno: 'EIO' }, 'old'],
    ['fchmod:error=EPERM:when=1', { code: 'ioFailed', errno: 'EPERM' }, 'old'],
    ['rename:error=EBUSY:when=1', { code: 'ioFailed', errno: 'EBUSY' }, 'old'],
    ['rename:error=EXDEV:when=1', { code: 'ioFailed', errno: 'EXDEV' }, 'old'],
    ['fsync:error=EIO:when=2', { code: 'uncertain', errno: 'EIO' }, 'new'],
    ['fsync:error=EINVAL:when=2', { done: true }, 'new'],
  ])('[D5] with %s', (inject, expected, bytes) => {
    const { path, text, names } = start();
    const { result } = traced('replace-child.ts', [path, 'new'], CALLS, '-e', `inject=${inject}`);
    expect(result).toMatchObject(expected);
    expect(text()).toBe(bytes);
    expect(names()).toEqual(['target']);
  });

  it.each([
    ['fchmod', 1, 'old'],
    ['fsync', 1, 'old'],
    ['rename', 1, 'old'],
    ['fsync', 2, 'new'],
  ])('[D2] SIGKILL at %s number %i leaves old or new, whole', (call, when, bytes) => {
    const { path, text, names } = start();
    const { signal } = traced(
      'replace-child.ts',
      [path, 'new'],
      CALLS,
      '-e',
      `inject=${call}:signal=SIGKILL:when=${when}`,
    );
    expect(signal).toBe('SIGKILL');
    expect(text()).toBe(bytes);
    const others = names().filter((name) => name !== basename(path));
    expect(others.every((name) => name.startsWith(TEMP_PREFIX) && name.endsWith('~'))).toBe(true);
  });
});
