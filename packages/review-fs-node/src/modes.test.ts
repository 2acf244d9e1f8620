import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fileOf, lockOne, makeSandbox, stateFor, systems, writeAs } from './sandbox.fixture.ts';

const root = process.getuid?.() === 0;

describe.each(systems())('modes and owners, %s', (_name, system) => {
  it.each(['644', '755', '600', '4755', '2775', '666', '700'])(
    '[D15] [C101] %s is kept by a write',
    async (octal) => {
      const mode = Number.parseInt(octal, 8);
      const box = makeSandbox();
      box.put('run.sh', 'old', mode);
      const old = process.umask(0o077);
      try {
        await writeAs(await box.open(system), 'run.sh', fileOf('new'));
      } finally {
        process.umask(old);
      }
      expect([box.mode('run.sh'), box.text('run.sh')]).toEqual([mode, 'new']);
    },
  );

  it.each(['000', '022', '077'])('[D15] a new file has the default mode under umask %s', async (octal) => {
    const mask = Number.parseInt(octal, 8);
    const box = makeSandbox();
    const workspace = await box.open(system);
    const old = process.umask(mask);
    try {
      expect(await writeAs(workspace, 'a', fileOf('x'))).toEqual({
        published: true,
        state: stateFor('x', 0o666 & ~mask),
      });
      expect(await writeAs(workspace, 'b', fileOf('x', 0o751))).toMatchObject({ state: { mode: 0o751 } });
    } finally {
      process.umask(old);
    }
    expect([box.mode('a'), box.mode('b')]).toEqual([0o666 & ~mask, 0o751]);
  });

  it('[C038] the temp is private until it is published, and the mode is set by its handle', async () => {
    const box = makeSandbox();
    const { calls } = await import('./system.ts').then(({ detectSystem }) => ({
      ...detectSystem(),
      ...system,
    }));
    const modes: number[] = [];
    const write: typeof calls.write = (fd, bytes) => {
      modes.push(fs.fstatSync(fd).mode & 0o7777);
      calls.write(fd, bytes);
    };
    await writeAs(await box.open({ ...system, calls: { ...calls, write } }), 'a', fileOf('x', 0o666));
    expect([modes, box.mode('a')]).toEqual([[0o600], 0o666]);
  });

  it('[C103] a read-only file is not replaced unless the caller names its mode', async () => {
    const box = makeSandbox();
    box.put('a.txt', 'old', 0o444);
    const workspace = await box.open(system);
    await expect(writeAs(workspace, 'a.txt', fileOf('new'))).rejects.toMatchObject({
      code: 'fileFailed',
      errno: 'EACCES',
      path: 'a.txt',
    });
    expect([box.text('a.txt'), box.mode('a.txt'), box.names()]).toEqual(['old', 0o444, ['a.txt']]);
    expect(await writeAs(workspace, 'a.txt', fileOf('new', 0o444))).toMatchObject({ published: true });
    expect([box.text('a.txt'), box.mode('a.txt')]).toEqual(['new', 0o444]);
  });

  it('refuses bytes that are not those of their digest', async () => {
    const box = makeSandbox();
    const file = await lockOne(await box.open(system), 'a.txt');
    const next = { ...fileOf('x'), digest: fileOf('y').digest };
    await expect(file.stage(next)).rejects.toMatchObject({ code: 'invalidArgument' });
    await file.release();
  });

  it.runIf(root)('[C104] the owner and the group are kept, as root', async () => {
    const box = makeSandbox();
    const at = box.put('a.txt', 'old', 0o4755);
    fs.chownSync(at, 1234, 2345);
    fs.chmodSync(at, 0o4755);
    await writeAs(await box.open(system), 'a.txt', fileOf('new'));
    const { uid, gid } = fs.statSync(at);
    expect([uid, gid, box.mode('a.txt'), box.text('a.txt')]).toEqual([1234, 2345, 0o4755, 'new']);
  });
});

/** Runs the program as nobody; only root can become somebody else. */
function asNobody(
  box: { root: string; lockDirectory: string; dir: string },
  name: string,
): { status: number | null; answer: unknown } {
  const child = fileURLToPath(new URL('./write-child.fixture.ts', import.meta.url));
  fs.mkdirSync(box.lockDirectory, { recursive: true });
  fs.chownSync(box.lockDirectory, 65534, 65534);
  fs.chmodSync(box.dir, 0o755);
  const args = [
    '--conditions=@backstitch/source',
    '--import',
    'tsx',
    child,
    box.root,
    box.lockDirectory,
    name,
    'new',
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, BECOME: '65534', TSX_DISABLE_CACHE: '1' },
    timeout: 60_000,
  });
  if (!stdout.startsWith('{')) throw new Error(`no answer: ${stdout}${stderr}`);
  return { status, answer: JSON.parse(stdout) };
}

describe.runIf(root)('as a user who may not', () => {
  it("[C104] another user's file is refused, since it would silently change its owner", () => {
    const box = makeSandbox();
    fs.chmodSync(box.root, 0o777);
    box.put('a.txt', 'old', 0o666);
    expect(asNobody(box, 'a.txt').answer).toMatchObject({
      code: 'fileFailed',
      errno: 'EPERM',
      path: 'a.txt',
    });
    expect([box.text('a.txt'), box.names()]).toEqual(['old', ['a.txt']]);
  });

  it('[C013] a directory that is not writable: failed with EACCES, nothing written', () => {
    const box = makeSandbox();
    box.put('d/a.txt', 'old', 0o666);
    fs.chownSync(path.join(box.root, 'd/a.txt'), 65534, 65534);
    expect(asNobody(box, 'd/a.txt').answer).toMatchObject({ code: 'fileFailed', errno: 'EACCES' });
    expect([box.text('d/a.txt'), box.names()]).toEqual(['old', ['d', 'd/a.txt']]);
  });

  it('a parent that may be entered but not read is walked through', () => {
    const box = makeSandbox();
    box.put('x/d/a.txt', 'old', 0o644);
    for (const name of ['x/d', 'x/d/a.txt']) fs.chownSync(path.join(box.root, name), 65534, 65534);
    fs.chmodSync(path.join(box.root, 'x'), 0o711);
    expect(asNobody(box, 'x/d/a.txt').answer).toMatchObject({ published: true });
    fs.chmodSync(path.join(box.root, 'x'), 0o700);
    expect(asNobody(box, 'x/d/a.txt').answer).toMatchObject({ refused: 'denied' });
    expect([box.text('x/d/a.txt'), box.names()]).toEqual(['new', ['x', 'x/d', 'x/d/a.txt']]);
  }, 120_000);
});

/** Root in a container may lack the right to mount. */
function canMount(): boolean {
  if (!root || process.platform !== 'linux') return false;
  const script = 'd=$(mktemp -d) && mount -t tmpfs none "$d" && umount "$d" && rmdir "$d"';
  return spawnSync('sh', ['-c', script], { stdio: 'ignore' }).status === 0;
}

describe.runIf(canMount())('on a disk of its own', () => {
  it('[D5] [C017] a full disk: ENOSPC, the old bytes stand, no temp is left', async () => {
    const box = makeSandbox();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'none', box.root]);
    try {
      box.put('a.txt', 'x'.repeat(60_000));
      const workspace = await box.open();
      for (const name of ['a.txt', 'd/new.txt']) {
        await expect(writeAs(workspace, name, fileOf('y'.repeat(200_000)))).rejects.toMatchObject({
          code: 'fileFailed',
          errno: 'ENOSPC',
          path: name,
          message: expect.stringContaining('free some space'),
        });
        expect([box.text('a.txt')?.length, box.names()]).toEqual([60_000, ['a.txt']]);
      }
      expect(await writeAs(workspace, 'a.txt', fileOf('small'))).toMatchObject({ published: true });
    } finally {
      execFileSync('umount', [box.root]);
    }
  });

  it('[C098] a file that is mounted on its own: EBUSY or EXDEV, the target stands, no temp is left', async () => {
    const box = makeSandbox();
    const at = box.put('a.txt', 'old');
    fs.writeFileSync(path.join(box.dir, 'mounted'), 'mounted');
    execFileSync('mount', ['--bind', path.join(box.dir, 'mounted'), at]);
    try {
      const workspace = await box.open();
      for (const next of [fileOf('new'), { at: 'absent' } as const]) {
        await expect(writeAs(workspace, 'a.txt', next)).rejects.toMatchObject({
          code: 'fileFailed',
          errno: expect.stringMatching(/EBUSY|EXDEV/),
        });
        expect([box.text('a.txt'), box.names()]).toEqual(['mounted', ['a.txt']]);
      }
    } finally {
      execFileSync('umount', [at]);
    }
    expect(box.text('a.txt')).toBe('old');
  });

  it('[D5] a read-only file system: EROFS, nothing is made', async () => {
    const box = makeSandbox();
    box.put('a.txt', 'old');
    execFileSync('mount', ['--bind', box.root, box.root]);
    execFileSync('mount', ['-o', 'remount,ro,bind', box.root]);
    try {
      const workspace = await box.open();
      for (const name of ['a.txt', 'd/new.txt']) {
        await expect(writeAs(workspace, name, fileOf('new'))).rejects.toMatchObject({ errno: 'EROFS' });
      }
    } finally {
      execFileSync('umount', [box.root]);
    }
    expect([box.text('a.txt'), box.names()]).toEqual(['old', ['a.txt']]);
  });
});
