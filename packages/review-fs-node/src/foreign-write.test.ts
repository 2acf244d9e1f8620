import fs from 'node:fs';
import path from 'node:path';
import type { FileIntent, Workspace } from '@backstitch/review-core';
import { describe, expect, it } from 'vitest';
import {
  fileOf,
  hookable,
  linkTo,
  lockOne,
  makeSandbox,
  publishAfter,
  type Sandbox,
  systems,
  withoutHardLinks,
  writeAs,
} from './sandbox.fixture.ts';
import { detectSystem, type System } from './system.ts';

const { calls: realCalls } = detectSystem();

/** Another program writes by a rename, as editors do. */
function rewrite(box: Sandbox, name: string, text: string): void {
  fs.writeFileSync(path.join(box.dir, 'foreign'), text);
  fs.renameSync(path.join(box.dir, 'foreign'), path.join(box.root, name));
}

interface Race {
  box: Sandbox;
  workspace: Workspace;
  on: ReturnType<typeof hookable>['on'];
}

async function race(system: Partial<System>): Promise<Race> {
  const box = makeSandbox();
  const { calls, on } = hookable(system.calls ?? realCalls);
  return { box, on, workspace: await box.open({ ...system, calls }) };
}

describe.each(systems())('a foreign program, %s', (_name, system) => {
  it.each<[string, (box: Sandbox) => void, string, string | null]>([
    ['writes in place', (box) => box.put('a.txt', 'foreign'), 'changedOnDisk', 'foreign'],
    ['writes the same size in place', (box) => box.put('a.txt', 'OLD'), 'changedOnDisk', 'OLD'],
    ['renames onto it', (box) => rewrite(box, 'a.txt', 'foreign'), 'changedOnDisk', 'foreign'],
    ['removes it', (box) => fs.unlinkSync(path.join(box.root, 'a.txt')), 'deleted', null],
    ['changes its mode', (box) => fs.chmodSync(path.join(box.root, 'a.txt'), 0o600), 'changedOnDisk', 'old'],
    ['removes the directory', (box) => fs.renameSync(box.root, `${box.root}-gone`), 'rootChanged', null],
  ])('[C019] [D1] %s before the publish: a conflict, and it stands', async (_what, act, reason, left) => {
    for (const next of [fileOf('new'), { at: 'absent' } as const, linkTo('elsewhere')]) {
      const box = makeSandbox();
      box.put('a.txt', 'old');
      const workspace = await box.open(system);
      const staged = { intent: null as FileIntent | null };
      const result = await publishAfter(workspace, 'a.txt', next, () => act(box), staged);
      expect(result).toEqual({ published: false, reason, message: expect.any(String) });
      if (reason === 'rootChanged') {
        fs.renameSync(`${box.root}-gone`, box.root);
        // Without a handle the directory was lost for a while, and what was put in it with it.
        if (system.handleWalk === false) await workspace.settle(staged.intent!);
      }
      expect([box.text('a.txt'), box.names()]).toEqual(
        reason === 'rootChanged' ? ['old', ['a.txt']] : [left, left === null ? [] : ['a.txt']],
      );
    }
  });

  it('[C047] puts a link to the recorded bytes in its place: the link is not followed', async () => {
    const box = makeSandbox();
    box.put('m.json', 'after');
    box.put('c/m.json', 'after');
    const result = await publishAfter(await box.open(system), 'm.json', fileOf('before'), () => {
      fs.unlinkSync(path.join(box.root, 'm.json'));
      fs.symlinkSync('c/m.json', path.join(box.root, 'm.json'));
    });
    expect(result).toMatchObject({ published: false, reason: 'replacedKind' });
    expect([box.text('c/m.json'), box.names()]).toEqual(['after', ['c', 'c/m.json', 'm.json']]);
  });

  it('[C008] puts a directory in its place: never removed, full or empty', async () => {
    for (const next of [fileOf('new'), { at: 'absent' } as const]) {
      const box = makeSandbox();
      box.put('m.rs', 'old');
      const result = await publishAfter(await box.open(system), 'm.rs', next, () => {
        fs.unlinkSync(path.join(box.root, 'm.rs'));
        fs.mkdirSync(path.join(box.root, 'm.rs'));
      });
      expect(result).toMatchObject({ published: false, reason: 'replacedKind' });
      expect(box.names()).toEqual(['m.rs']);
    }
  });

  it('[C037] swaps the parent for a link: nothing is written through it', async () => {
    const box = makeSandbox();
    box.put('d/a.txt', 'old');
    const outside = path.join(box.dir, 'outside');
    fs.mkdirSync(outside);
    fs.writeFileSync(path.join(outside, 'a.txt'), 'old');
    const result = await publishAfter(await box.open(system), 'd/a.txt', fileOf('new'), () => {
      fs.renameSync(path.join(box.root, 'd'), path.join(box.root, 'e'));
      fs.symlinkSync(outside, path.join(box.root, 'd'));
    });
    expect(result).toMatchObject({ published: false, reason: 'replacedKind' });
    expect([fs.readdirSync(outside), fs.readFileSync(path.join(outside, 'a.txt'), 'utf8')]).toEqual([
      ['a.txt'],
      'old',
    ]);
    expect(box.text('e/a.txt')).toBe('old');
  });

  it('[D17] edits what is about to be removed: it is put back', async () => {
    const { box, workspace, on } = await race(system);
    const file = box.put('a.txt', 'old');
    on('before', ['rename'], () => fs.writeFileSync(file, 'foreign'));
    expect(await writeAs(workspace, 'a.txt', { at: 'absent' })).toMatchObject({
      published: false,
      reason: 'foreignWrite',
    });
    expect([box.text('a.txt'), box.names()]).toEqual(['foreign', ['a.txt']]);
  });

  it('[D17] makes a directory of it in the last moment: it is put back', async () => {
    const { box, workspace, on } = await race(system);
    const file = box.put('a.txt', 'old');
    on('before', ['rename'], () => {
      fs.unlinkSync(file);
      fs.mkdirSync(file);
      fs.writeFileSync(path.join(file, 'inside'), 'theirs');
    });
    expect(await writeAs(workspace, 'a.txt', { at: 'absent' })).toMatchObject({
      published: false,
      reason: 'foreignWrite',
    });
    expect(box.names()).toEqual(['a.txt', 'a.txt/inside']);
  });

  it('[D17] takes the name while its edit is being put back: both copies stand, and are named', async () => {
    const { box, workspace, on } = await race(system);
    const file = box.put('a.txt', 'old');
    on('before', ['rename'], () => fs.writeFileSync(file, 'first'));
    on('after', ['rename'], () => fs.writeFileSync(file, 'second'));
    const locked = await lockOne(workspace, 'a.txt');
    const staged = await locked.stage({ at: 'absent' });
    await staged.write();
    const result = await staged.publish();
    expect(result).toEqual({
      published: 'attention',
      message: expect.stringContaining(locked.names.displaced),
      names: [locked.names.displaced, 'a.txt'],
    });
    await locked.release();
    expect([box.text('a.txt'), box.text(locked.names.displaced)]).toEqual(['second', 'first']);
  });

  it('[D17] makes the file that we are about to make: theirs stands', async () => {
    const { box, workspace, on } = await race(system);
    on('before', ['link'], () => box.put('new.txt', 'theirs'));
    expect(await writeAs(workspace, 'new.txt', fileOf('ours'))).toMatchObject({
      published: false,
      reason: 'changedOnDisk',
    });
    expect([box.text('new.txt'), box.names()]).toEqual(['theirs', ['new.txt']]);
  });
});

describe('by links', () => {
  it('[D17] an edit in place between the link and the rename is put back', async () => {
    const { box, workspace, on } = await race({});
    const file = box.put('a.txt', 'old', 0o640);
    on('after', ['link'], () => fs.writeFileSync(file, 'foreign'));
    expect(await writeAs(workspace, 'a.txt', fileOf('new'))).toMatchObject({
      published: false,
      reason: 'foreignWrite',
    });
    expect([box.text('a.txt'), box.mode('a.txt'), box.names()]).toEqual(['foreign', 0o640, ['a.txt']]);
  });

  it('[D17] a rename between the link and the last look is kept', async () => {
    const { box, workspace, on } = await race({});
    box.put('a.txt', 'old');
    on('after', ['link'], () => rewrite(box, 'a.txt', 'foreign'));
    expect(await writeAs(workspace, 'a.txt', fileOf('new'))).toMatchObject({
      published: false,
      reason: 'changedOnDisk',
    });
    expect([box.text('a.txt'), box.names()]).toEqual(['foreign', ['a.txt']]);
  });

  it('[D17] a rename between our look and the link is kept', async () => {
    const { box, workspace, on } = await race({});
    box.put('a.txt', 'old');
    on('before', ['link'], () => rewrite(box, 'a.txt', 'foreign'));
    expect(await writeAs(workspace, 'a.txt', fileOf('new'))).toMatchObject({
      published: false,
      reason: 'changedOnDisk',
    });
    expect([box.text('a.txt'), box.names()]).toEqual(['foreign', ['a.txt']]);
  });

  it('[D17] an edit by a handle that was open all the time, after the check: kept beside it, and put back by recovery', async () => {
    const { box, workspace } = await race({});
    const fd = fs.openSync(box.put('a.txt', 'old'), 'r+');
    const file = await lockOne(workspace, 'a.txt');
    const staged = await file.stage(fileOf('new'));
    await staged.write();
    expect(await staged.publish()).toMatchObject({ published: true });
    fs.writeSync(fd, 'late', 0);
    fs.closeSync(fd);
    await expect(staged.settle()).rejects.toMatchObject({ code: 'fileFailed' });
    await file.release();
    expect(box.text(file.names.displaced)).toBe('late');
    expect(await workspace.settle(staged.intent)).toMatchObject({ result: 'prior', reason: 'foreignWrite' });
    expect([box.text('a.txt'), box.names()]).toEqual(['late', ['a.txt']]);
  });
});

describe('without hard links', () => {
  const system = { calls: withoutHardLinks(realCalls) };

  it('[D17] an edit in place while the file is taken away is put back, with its mode', async () => {
    const { box, workspace, on } = await race(system);
    const file = box.put('a.txt', 'old', 0o640);
    on('before', ['rename'], () => fs.writeFileSync(file, 'foreign'));
    expect(await writeAs(workspace, 'a.txt', fileOf('new'))).toMatchObject({
      published: false,
      reason: 'foreignWrite',
    });
    expect([box.text('a.txt'), box.mode('a.txt'), box.names()]).toEqual(['foreign', 0o640, ['a.txt']]);
  });

  it('[D17] a file that takes the free name stands; nothing of ours does', async () => {
    const { box, workspace, on } = await race(system);
    const file = box.put('a.txt', 'old');
    on('after', ['rename'], () => fs.writeFileSync(file, 'foreign'));
    const locked = await lockOne(workspace, 'a.txt');
    const staged = await locked.stage(fileOf('new'));
    await staged.write();
    expect(await staged.publish()).toMatchObject({ published: false, reason: 'foreignWrite' });
    await locked.release();
    expect([box.text('a.txt'), box.names()]).toEqual(['foreign', ['a.txt']]);
  });

  it('[D5] the old file comes back where the new one can not be made', async () => {
    const { box, workspace, on } = await race(system);
    box.put('a.txt', 'old', 0o604);
    on('after', ['rename'], () =>
      on('before', ['rename'], () => {
        throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      }),
    );
    await expect(writeAs(workspace, 'a.txt', fileOf('new'))).rejects.toMatchObject({
      code: 'fileFailed',
      errno: 'ENOSPC',
    });
    expect([box.text('a.txt'), box.mode('a.txt'), box.names()]).toEqual(['old', 0o604, ['a.txt']]);
  });
});
