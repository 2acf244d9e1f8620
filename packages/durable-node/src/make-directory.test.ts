import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeDirectory, syncDirectory } from './index.ts';
import { folder, withUmask } from './test-support/folders.ts';
import { traced } from './test-support/strace.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

describe('makeDirectory', () => {
  it.each(['000', '077', '777'])(
    '[D15] makes all missing ones 0700 under umask %s, and leaves others',
    async (mask) => {
      const root = folder();
      mkdirSync(join(root, 'a'));
      chmodSync(join(root, 'a'), 0o755);
      await withUmask(Number.parseInt(mask, 8), () => makeDirectory(join(root, 'a/b/c')));
      expect(['a', 'a/b', 'a/b/c'].map((name) => modeOf(join(root, name)))).toEqual([0o755, 0o700, 0o700]);
      await makeDirectory(join(root, 'a/b/c'), { mode: 0o711 });
      expect(modeOf(join(root, 'a/b/c'))).toBe(0o700);
    },
  );

  it('takes a mode, and accepts a link to a directory', async () => {
    const root = folder();
    await makeDirectory(join(root, 'real'), { mode: 0o750, durability: 'none' });
    symlinkSync('real', join(root, 'link'));
    await makeDirectory(join(root, 'link'));
    await makeDirectory(join(root, 'link/inner'));
    expect([modeOf(join(root, 'real')), modeOf(join(root, 'real/inner'))]).toEqual([0o750, 0o700]);
  });

  it('says what stands in the way', async () => {
    const path = join(folder(), 'file');
    writeFileSync(path, '');
    await expect(makeDirectory(path)).rejects.toMatchObject({ code: 'ioFailed', errno: 'ENOTDIR', path });
    await expect(makeDirectory(join(path, 'x'))).rejects.toMatchObject({
      code: 'ioFailed',
      errno: 'ENOTDIR',
    });
  });

  it('makes one directory from many calls at once', async () => {
    const path = join(folder(), 'a/b/c/d');
    await Promise.all(Array.from({ length: 8 }, () => makeDirectory(path)));
    expect(modeOf(path)).toBe(0o700);
  });

  it('[D4] syncs each name before it makes the next one, and the name above that may be new too', () => {
    const root = folder();
    const { calls } = traced('directory-child.ts', [join(root, 'a/b')], 'mkdir,fsync');
    const shown = calls.filter((call) => call.includes(root)).map((call) => call.replaceAll(root, 'R'));
    const short = shown.map((call) =>
      call.replace(/^fsync\(\d+<(.*)>\).*$/, 'fsync $1').replace(/^mkdir\("([^"]*)".*$/, 'mkdir $1'),
    );
    expect(short).toEqual(['mkdir R/a', 'fsync R', 'mkdir R/a/b', 'fsync R/a']);
    const again = traced('directory-child.ts', [join(root, 'a/b')], 'mkdir,fsync').calls;
    expect(again.filter((call) => call.includes(`<${root}/a>`) && call.startsWith('fsync'))).toHaveLength(1);
  });
});

describe('syncDirectory', () => {
  it('refuses what is no directory, and asks for nothing below power', async () => {
    const path = join(folder(), 'file');
    writeFileSync(path, '');
    await expect(syncDirectory(path)).rejects.toMatchObject({ code: 'ioFailed', errno: 'ENOTDIR', path });
    await syncDirectory(path, 'crash');
    await syncDirectory(path, 'none');
  });
});
