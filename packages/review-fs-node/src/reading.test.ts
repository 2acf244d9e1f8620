import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import type { Seen } from '@backstitch/review-core';
import { describe, expect, it } from 'vitest';
import { fileOf, lockOne, makeSandbox, stateFor, systems, textOf } from './sandbox.fixture.ts';
import { detectSystem } from './system.ts';

describe.each(systems())('what stands at a path, %s', (_name, system) => {
  it('[C094] [D9] answers at once and without opening for a FIFO, a socket, a device and a directory', async () => {
    const box = makeSandbox();
    const at = (name: string) => path.join(box.root, name);
    execFileSync('mkfifo', [at('fifo')]);
    fs.mkdirSync(at('directory'));
    const server = net.createServer().listen(at('socket'));
    await new Promise((done) => server.once('listening', done));
    const device = makeDevice(at('device'));
    const workspace = await box.open(system);
    for (const what of ['fifo', 'socket', 'directory', ...(device ? ['device'] : [])]) {
      expect(await workspace.read(what)).toEqual({
        at: 'unsupported',
        what,
        message: expect.stringContaining(what),
      });
      const file = await lockOne(workspace, what);
      expect(file.seen).toMatchObject({ at: 'unsupported', what });
      await expect(file.stage(fileOf('x'))).rejects.toMatchObject({ code: 'unsupportedKind' });
      await file.release();
    }
    fs.symlinkSync('/dev/zero', at('link'));
    const link = (await workspace.read('link')) as Seen;
    expect([link.at, textOf(link)]).toEqual(['symlink', '/dev/zero']);
    server.close();
  });

  it('[D9] a file over the cap is hashed and not kept, one that grows is told', async () => {
    const box = makeSandbox();
    const text = 'x'.repeat(3_000_000);
    const file = box.put('big.txt', text);
    const workspace = await box.open(system);
    expect(await workspace.read('big.txt', 2_999_999)).toEqual({
      at: 'file',
      state: stateFor(text, 0o644),
      bytes: null,
      links: 1,
    });
    const fd = fs.openSync(file, 'a');
    const { calls } = { ...detectSystem(), ...system };
    const read = async (at: string, cap: number) => {
      const reading = calls.read(at, cap);
      fs.writeSync(fd, 'more');
      return reading;
    };
    expect(await (await box.open({ ...system, calls: { ...calls, read } })).read('big.txt')).toMatchObject({
      at: 'unsupported',
      what: 'changing',
    });
    fs.closeSync(fd);
  });

  it('[D9] a sparse file of 8 GB is refused by its size alone when it is not to be hashed', async () => {
    const box = makeSandbox();
    const file = box.put('a.txt', 'seen');
    const workspace = await box.open(system);
    const locked = await lockOne(workspace, 'a.txt');
    const staged = await locked.stage(fileOf('new'));
    await staged.write();
    fs.truncateSync(file, 8 * 2 ** 30);
    expect(await staged.publish()).toMatchObject({ published: false, reason: 'changedOnDisk' });
    await locked.release();
    expect([fs.statSync(file).size, box.names()]).toEqual([8 * 2 ** 30, ['a.txt']]);
  });

  it('sees a link as a thing of its own, with its target as raw bytes', async () => {
    const box = makeSandbox();
    fs.symlinkSync(Buffer.from([0x61, 0xff, 0x62]), path.join(box.root, 'l'));
    const seen = await (await box.open(system)).read('l');
    expect(seen).toMatchObject({ at: 'symlink', state: { size: 3, kind: 'symlink' } });
    expect([...(seen as { bytes: Uint8Array }).bytes]).toEqual([0x61, 0xff, 0x62]);
  });

  it('counts hard links, and takes a missing parent for a missing file', async () => {
    const box = makeSandbox();
    fs.linkSync(box.put('a.txt', 'x'), path.join(box.root, 'b.txt'));
    const workspace = await box.open(system);
    expect(await workspace.read('a.txt')).toMatchObject({ links: 2 });
    expect(await workspace.read('no/such/file')).toEqual({ at: 'absent' });
  });

  it('tells, after a tool, that its parent became a link', async () => {
    const box = makeSandbox();
    box.put('d/a.txt', 'x');
    const file = await lockOne(await box.open(system), 'd/a.txt');
    fs.renameSync(path.join(box.root, 'd'), path.join(box.root, 'e'));
    fs.symlinkSync('e', path.join(box.root, 'd'));
    expect(await file.look()).toMatchObject({
      at: 'unsupported',
      what: 'unknown',
      message: expect.stringMatching(/link/),
    });
    await file.release();
  });
});

/** Only root may; elsewhere the other kinds are tried. */
function makeDevice(at: string): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    execFileSync('mknod', [at, 'c', '1', '5'], { stdio: 'ignore' });
    return true;
  } catch {
    // A container without CAP_MKNOD.
    return false;
  }
}
