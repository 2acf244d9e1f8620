import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DirHandle } from './dir-handle.ts';
import { makeSandbox, type Sandbox, systems } from './sandbox.fixture.ts';
import { detectSystem, type System } from './system.ts';

function openRoot(box: Sandbox, system: System): DirHandle {
  const dir = DirHandle.openRoot(system, box.root);
  if (!(dir instanceof DirHandle)) throw new Error(dir);
  return dir;
}

describe.each(systems())('a directory handle, %s', (_name, partial) => {
  const system = { ...detectSystem(), ...partial };

  it('takes one name at a time, and nothing that walks', async () => {
    const dir = openRoot(makeSandbox(), system);
    for (const name of ['', '.', '..', 'a/b', '../x', '/etc', 'nul\0']) {
      expect(() => dir.lstat(name)).toThrow(TypeError);
      expect(() => dir.unlink(name)).toThrow(TypeError);
      expect(() => dir.rename('a', name)).toThrow(TypeError);
      expect(() => dir.link(name, 'a')).toThrow(TypeError);
      await expect(dir.read(name, 1)).rejects.toThrow(TypeError);
    }
    dir.close();
  });

  it('throws once it is closed, and never reaches what took its number', () => {
    const box = makeSandbox();
    const dir = openRoot(box, system);
    dir.close();
    dir.close();
    const other = openRoot(makeSandbox(), system);
    expect(() => dir.mkdir('x')).toThrow(/closed/);
    expect(() => dir.createFile('x')).toThrow(/closed/);
    expect(box.names()).toEqual([]);
    other.close();
  });

  it('stays open until what runs on it has ended', async () => {
    const box = makeSandbox();
    box.put('a.txt', 'x');
    const closed: number[] = [];
    let go = () => {};
    const gate = new Promise<void>((done) => {
      go = done;
    });
    const read: System['calls']['read'] = async (at, cap) => {
      await gate;
      return system.calls.read(at, cap);
    };
    const close = (fd: number) => {
      closed.push(fd);
      system.calls.close(fd);
    };
    const dir = openRoot(box, { ...system, calls: { ...system.calls, read, close } });
    const reading = dir.read('a.txt', 10);
    dir.close();
    expect(closed).toEqual([]);
    go();
    expect(await reading).toMatchObject({ kind: 'file', size: 1 });
    expect(closed).toHaveLength(system.handleWalk ? 1 : 0);
  });

  it('tells that it was moved, removed or replaced', () => {
    const box = makeSandbox();
    box.put('d/a.txt', 'x');
    const root = openRoot(box, system);
    const dir = root.openDir('d');
    if (!(dir instanceof DirHandle)) throw new Error(dir);
    expect([dir.inPlace(), dir.depthBelow(root), root.depthBelow(dir)]).toEqual([true, 1, null]);
    fs.renameSync(path.join(box.root, 'd'), path.join(box.dir, 'moved'));
    expect(dir.inPlace()).toBe(false);
    fs.mkdirSync(path.join(box.root, 'd'));
    expect(dir.inPlace()).toBe(false);
    dir.close();
    root.close();
  });

  it('leaks no descriptor over refused walks', () => {
    const box = makeSandbox();
    fs.symlinkSync('/', path.join(box.root, 'link'));
    box.put('file', 'x');
    const root = openRoot(box, system);
    const open = () => (fs.existsSync('/proc/self/fd') ? fs.readdirSync('/proc/self/fd').length : 0);
    const before = open();
    for (let at = 0; at < 500; at += 1) {
      expect([root.openDir('link'), root.openDir('file'), root.openDir('none')]).toEqual([
        'link',
        'notADirectory',
        'missing',
      ]);
    }
    expect(open()).toBe(before);
    root.close();
  });
});
