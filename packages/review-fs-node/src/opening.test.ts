import fs from 'node:fs';
import path from 'node:path';
import { type Refusal, ReviewError } from '@backstitch/review-core';
import { describe, expect, it } from 'vitest';
import { makeSandbox, systems } from './sandbox.fixture.ts';

describe.each(systems())('what the walk refuses, %s', (_name, system) => {
  it('[C034] [D8] links and files as parents, whatever the leaf is', async () => {
    const box = makeSandbox();
    const outside = path.join(box.dir, 'outside');
    fs.mkdirSync(outside);
    fs.symlinkSync(outside, path.join(box.root, 'd'));
    fs.symlinkSync('nowhere', path.join(box.root, 'dangling'));
    box.put('e/file', 'x');
    fs.symlinkSync('e', path.join(box.root, 'inner'));
    const workspace = await box.open(system);
    const expected: [string, Refusal][] = [
      ['d/new.txt', 'link'],
      ['d/deeper/new.txt', 'link'],
      ['dangling/new.txt', 'link'],
      ['inner/file', 'link'],
      ['e/file/below', 'notADirectory'],
    ];
    for (const [given, refused] of expected) {
      for (const answer of [
        await workspace.locate(given),
        await workspace.read(given),
        await workspace.lock([given]),
      ]) {
        expect(answer).toMatchObject({ refused, path: given });
      }
    }
    expect([fs.readdirSync(outside), box.text('e/file')]).toEqual([[], 'x']);
  });

  it('[C109] a root that is gone, or is another directory', async () => {
    const box = makeSandbox();
    box.put('d/a.txt', 'x');
    const workspace = await box.open(system);
    fs.renameSync(box.root, `${box.root}-moved`);
    expect(await workspace.locate('d/a.txt')).toMatchObject({ refused: 'rootMissing' });
    expect(await workspace.lock(['d/a.txt'])).toMatchObject({ refused: 'rootMissing' });
    expect(fs.existsSync(box.root)).toBe(false);
    fs.mkdirSync(box.root);
    expect(await workspace.locate('d/a.txt')).toMatchObject({ refused: 'rootChanged' });
    fs.rmdirSync(box.root);
    fs.symlinkSync(`${box.root}-moved`, box.root);
    expect(await workspace.locate('d/a.txt')).toMatchObject({ refused: 'rootChanged' });
  });
});

describe('opening', () => {
  const code = async (opening: Promise<unknown>) =>
    opening.then(
      () => 'opened',
      (error) => (ReviewError.isInstance(error) ? error.code : error),
    );

  it('resolves a root that is given through a link, once, and goes on to take that spelling', async () => {
    const box = makeSandbox();
    const link = path.join(box.dir, 'link');
    fs.symlinkSync('root', link);
    const workspace = await box.open({}, { root: link });
    expect(workspace.root).toBe(box.root);
    expect(await workspace.locate(path.join(link, 'a.txt'))).toMatchObject({
      root: box.root,
      path: 'a.txt',
      absolutePath: path.join(box.root, 'a.txt'),
    });
    fs.unlinkSync(link);
    expect(await workspace.locate('a.txt')).toMatchObject({ path: 'a.txt' });
  });

  it('refuses what is no directory, and tells its scopes', async () => {
    const box = makeSandbox();
    const file = box.put('a.txt', 'x');
    expect(await code(box.open({}, { root: file }))).toBe('invalidArgument');
    expect(await code(box.open({}, { root: path.join(box.dir, 'none') }))).toBe('invalidArgument');
    expect(await code(box.open({}, { root: 'relative' }))).toBe('invalidArgument');
    expect(await code(box.open({}, { externalRoots: [file] }))).toBe('invalidArgument');
    fs.mkdirSync(path.join(box.dir, 'scratch'));
    const { roots } = await box.open({}, { scratchRoots: [path.join(box.dir, 'scratch')] });
    expect(roots).toEqual([
      { root: box.root, scope: 'workspace' },
      { root: path.join(box.dir, 'scratch'), scope: 'scratch' },
    ]);
  });

  it('[C12] refuses a lock directory in a root, or around one, also through a link, and makes nothing', async () => {
    const box = makeSandbox();
    fs.symlinkSync(box.root, path.join(box.dir, 'to-root'));
    for (const lockDirectory of [
      path.join(box.root, 'locks'),
      box.root,
      box.dir,
      path.join(box.dir, 'to-root/x'),
    ]) {
      expect(await code(box.open({}, { lockDirectory }))).toBe('storePlacement');
    }
    expect(await code(box.open({}, { lockDirectory: 'locks' }))).toBe('invalidArgument');
    expect(box.names()).toEqual([]);
  });

  it('[C041] [D15] makes the lock directory private whatever the umask, and tightens one that is not', async () => {
    const box = makeSandbox();
    const old = process.umask(0);
    try {
      await box.open();
    } finally {
      process.umask(old);
    }
    expect(fs.statSync(box.lockDirectory).mode & 0o777).toBe(0o700);
    fs.chmodSync(box.lockDirectory, 0o777);
    await box.open();
    expect(fs.statSync(box.lockDirectory).mode & 0o777).toBe(0o700);
  });

  it('says what it can promise here, without writing into the root', async () => {
    const box = makeSandbox();
    const full = await box.open();
    expect(Object.keys(full.capabilities).sort()).toEqual(
      ['caseSensitive', 'dirFsync', 'handleWalk', 'hardLinks', 'modes', 'ownerProof'].sort(),
    );
    const weaker = await box.open({ handleWalk: false, linksLinks: false });
    for (const key of ['handleWalk', 'hardLinks'] as const) {
      expect(weaker.capabilities[key]).toMatchObject({ level: 'weaker', why: expect.stringMatching(/\.$/) });
    }
    expect([box.names(), fs.statSync(box.root).nlink]).toEqual([[], 2]);
  });

  it.runIf(process.platform === 'linux')('promises all of it on Linux', async () => {
    const box = makeSandbox();
    box.put('letters.txt', 'x');
    const levels = Object.entries((await box.open()).capabilities).map(([key, { level }]) => [key, level]);
    expect(Object.fromEntries(levels)).toEqual({
      handleWalk: 'full',
      dirFsync: 'full',
      hardLinks: 'full',
      ownerProof: 'full',
      modes: 'full',
      caseSensitive: 'full',
    });
  });
});
