import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileOf, hookable, lockOne, makeSandbox, systems, writeAs } from './sandbox.fixture.ts';
import { detectSystem } from './system.ts';

const BRIEF = { timeoutMs: 0 };

describe.each(systems())('path locks, %s', (_name, system) => {
  it('[D6] nested roots, links to a root and other workspaces meet in one lock', async () => {
    const box = makeSandbox();
    box.put('in/a.txt', 'x');
    fs.symlinkSync(box.root, path.join(box.dir, 'link'));
    const outer = await box.open(system);
    const inner = await box.open(system, { root: path.join(box.root, 'in') });
    const linked = await box.open(system, { root: path.join(box.dir, 'link') });
    const file = await lockOne(outer, 'in/a.txt');
    for (const answer of [await inner.lock(['a.txt'], BRIEF), await linked.lock(['in/a.txt'], BRIEF)]) {
      expect(answer).toMatchObject({ busy: true, what: 'path', holder: { pid: process.pid } });
    }
    expect(await inner.lock(['b.txt'], BRIEF)).toHaveLength(1);
    await file.release();
    await (await lockOne(inner, 'a.txt')).release();
  });

  it('[D6] a path whose parents are made meanwhile stays locked', async () => {
    const box = makeSandbox();
    const [mine, other] = [await box.open(system), await box.open(system)];
    const file = await lockOne(mine, 'd/e/a.txt');
    const staged = await file.stage(fileOf('x'));
    await staged.write();
    expect(box.names()).toContain('d/e');
    expect(await other.lock(['d/e/a.txt'], BRIEF)).toMatchObject({ busy: true });
    await staged.publish();
    await staged.settle();
    await file.release();
    await (await lockOne(other, 'd/e/a.txt')).release();
  });

  it('[D6] a key that changed while it was waited for is taken anew', async () => {
    const box = makeSandbox();
    const { calls, on } = hookable(system.calls ?? detectSystem().calls);
    const workspace = await box.open({ ...system, calls });
    const other = await box.open(system);
    // Between the first walk, which finds no `d`, and the second one.
    on('after', ['close', 'lstat'], () => fs.mkdirSync(path.join(box.root, 'd')));
    const file = await lockOne(workspace, 'd/a.txt');
    expect(await other.lock(['d/a.txt'], BRIEF)).toMatchObject({ busy: true });
    await file.release();
  });

  it('gives one locked file for each path that was asked for, in that order', async () => {
    const box = makeSandbox();
    const workspace = await box.open(system);
    const files = await workspace.lock(['b', 'a', './b', path.join(box.root, 'a')]);
    if (!Array.isArray(files)) throw new Error('not locked');
    expect(files.map((file) => file.path)).toEqual(['b', 'a', 'b', 'a']);
    await files[0]!.release();
    expect(await workspace.lock(['b'], BRIEF)).toMatchObject({ busy: true });
    for (const file of files) await file.release();
    await (await lockOne(workspace, 'b')).release();
    expect(await workspace.lock([])).toEqual([]);
  });

  it('writes nothing once its lock was taken away', async () => {
    const box = makeSandbox();
    box.put('a.txt', 'old');
    const workspace = await box.open(system);
    for (const when of ['stage', 'write', 'publish'] as const) {
      const file = await lockOne(workspace, 'a.txt');
      const staged = when === 'stage' ? null : await file.stage(fileOf('new'));
      if (when === 'publish') await staged!.write();
      breakLocks(box.lockDirectory);
      const step = staged === null ? file.stage(fileOf('new')) : staged[when as 'write' | 'publish']();
      await expect(step).rejects.toMatchObject({ code: 'lockLost', path: 'a.txt' });
      await file.release();
      expect([when, box.text('a.txt'), box.names()]).toEqual([when, 'old', ['a.txt']]);
    }
  });

  it('a locked file that was released writes nothing', async () => {
    const box = makeSandbox();
    const file = await lockOne(await box.open(system), 'a.txt');
    await file.release();
    await file.release();
    await expect(file.stage(fileOf('x'))).rejects.toMatchObject({ code: 'closed' });
    expect(box.names()).toEqual([]);
  });
});

describe('where names fold', () => {
  it('[C011] twins by case share a lock, and are told apart by what stands on disk', async () => {
    const box = makeSandbox();
    // A root with no name to tell by may fold, so that both spellings are taken for one.
    const root = emptyRoot(box.dir);
    const [workspace, other] = [await box.open({}, { root }), await box.open({}, { root })];
    expect(workspace.capabilities.caseSensitive).toMatchObject({ level: 'weaker' });
    const files = await workspace.lock(['Notes.txt', 'notes.txt']);
    if (!Array.isArray(files)) throw new Error('not locked');
    await files[0]!.release();
    expect(await other.lock(['NOTES.TXT'], BRIEF)).toMatchObject({ busy: true });
    await files[1]!.release();
    await (await lockOne(other, 'NOTES.TXT')).release();
    await writeAs(workspace, 'Notes.txt', fileOf('one'));
    expect(await workspace.read('Notes.txt')).toMatchObject({ at: 'file' });
  });
});

/** Neither it nor anything in it has a letter. */
function emptyRoot(dir: string): string {
  const root = path.join(dir, '123');
  fs.mkdirSync(root);
  return root;
}

/** As a person does who breaks a lock: the next generation is another's. */
function breakLocks(directory: string): void {
  for (const key of fs.readdirSync(directory)) {
    const at = path.join(directory, key);
    if (!fs.statSync(at).isDirectory()) continue;
    const own = fs
      .readdirSync(at)
      .filter((name) => name.endsWith('.own'))
      .sort()
      .at(-1);
    if (own) fs.writeFileSync(path.join(at, own.replace('.own', '.rel')), '{}');
  }
}
