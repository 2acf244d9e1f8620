import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  fileOf,
  linkTo,
  lockOne,
  makeSandbox,
  stateFor,
  systems,
  textOf,
  writeAs,
} from './sandbox.fixture.ts';

describe.each(systems())('a guarded write, %s', (_name, system) => {
  it('replaces a file and leaves nothing else behind', async () => {
    const box = makeSandbox();
    box.put('a.txt', 'old');
    const workspace = await box.open(system);
    const result = await writeAs(workspace, 'a.txt', fileOf('new'));
    expect(result).toEqual({ published: true, state: stateFor('new', 0o644) });
    expect(box.text('a.txt')).toBe('new');
    expect(box.names()).toEqual(['a.txt']);
  });

  it('makes a file and its parents, with the default mode', async () => {
    const box = makeSandbox();
    const workspace = await box.open(system);
    const file = await lockOne(workspace, 'd/e/f.txt');
    expect(file.seen).toEqual({ at: 'absent' });
    expect(file.missingDirs).toEqual(['d', 'd/e']);
    await file.release();
    const result = await writeAs(workspace, 'd/e/f.txt', fileOf('new'));
    expect(result).toEqual({ published: true, state: stateFor('new', 0o666 & ~process.umask()) });
    expect(box.names()).toEqual(['d', 'd/e', 'd/e/f.txt']);
    expect(box.text('d/e/f.txt')).toBe('new');
  });

  it('[G6] removes a file, and the folders that its change had made while they are empty', async () => {
    const box = makeSandbox();
    box.put('d/e/f.txt', 'old');
    box.put('d/other.txt', 'stays');
    const workspace = await box.open(system);
    const result = await writeAs(workspace, 'd/e/f.txt', { at: 'absent', madeDirs: ['d', 'd/e'] });
    expect(result).toEqual({ published: true, state: null });
    expect(box.names()).toEqual(['d', 'd/other.txt']);
  });

  it('keeps the folders of a removal that made none', async () => {
    const box = makeSandbox();
    box.put('d/f.txt', 'old');
    await writeAs(await box.open(system), 'd/f.txt', { at: 'absent' });
    expect(box.names()).toEqual(['d']);
  });

  it('removes what is not there without a word', async () => {
    const box = makeSandbox();
    expect(await writeAs(await box.open(system), 'x/y.txt', { at: 'absent' })).toEqual({
      published: true,
      state: null,
    });
    expect(box.names()).toEqual([]);
  });

  it('turns a file into a link and back, and follows neither', async () => {
    const box = makeSandbox();
    box.put('to.txt', 'aim');
    box.put('a.txt', 'old');
    const workspace = await box.open(system);
    expect(await writeAs(workspace, 'a.txt', linkTo('to.txt'))).toMatchObject({ published: true });
    expect(fs.readlinkSync(path.join(box.root, 'a.txt'))).toBe('to.txt');
    const file = await lockOne(workspace, 'a.txt');
    expect([file.seen.at, textOf(file.seen)]).toEqual(['symlink', 'to.txt']);
    await file.release();
    expect(await writeAs(workspace, 'a.txt', linkTo('other'))).toMatchObject({ published: true });
    expect(await writeAs(workspace, 'a.txt', fileOf('back'))).toMatchObject({ published: true });
    expect([box.text('a.txt'), box.text('to.txt')]).toEqual(['back', 'aim']);
    expect(await writeAs(workspace, 'l', linkTo('nowhere'))).toMatchObject({ published: true });
    expect(await writeAs(workspace, 'l', { at: 'absent' })).toMatchObject({ published: true });
    expect(box.names()).toEqual(['a.txt', 'to.txt']);
  });

  it('writes twice under one lock, after it looked again', async () => {
    const box = makeSandbox();
    box.put('a.txt', 'one');
    const file = await lockOne(await box.open(system), 'a.txt');
    for (const text of ['two', 'three']) {
      const staged = await file.stage(fileOf(text));
      await staged.write();
      expect(await staged.publish()).toMatchObject({ published: true });
      await staged.settle();
      expect(textOf(await file.look())).toBe(text);
    }
    await file.release();
    expect([box.text('a.txt'), box.names()]).toEqual(['three', ['a.txt']]);
  });

  it('aborts after each step and leaves no trace', async () => {
    const box = makeSandbox();
    box.put('a.txt', 'old');
    const workspace = await box.open(system);
    for (const name of ['a.txt', 'd/e/f.txt']) {
      for (const written of [false, true]) {
        const file = await lockOne(workspace, name);
        const staged = await file.stage(fileOf('new'));
        if (written) await staged.write();
        await staged.abort();
        await staged.abort();
        await file.release();
      }
    }
    expect([box.text('a.txt'), box.names()]).toEqual(['old', ['a.txt']]);
  });
});
