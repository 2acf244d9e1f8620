import assert from 'node:assert/strict';
import { isRefused } from '../../ports/workspace.ts';
import type { Contract } from './runner.ts';
import { rejectsWith, tester, utf8 } from './runner.ts';
import type { WorkspaceSetup } from './workspace.ts';
import { assertText, FOREIGN, lockOne, NEW, next, OLD, state } from './workspace-files.ts';

export function writeTests(contract: Contract<WorkspaceSetup>): void {
  lawfulTests(contract);
  refusalTests(contract);
}

function lawfulTests(contract: Contract<WorkspaceSetup>): void {
  const test = tester(contract);

  test('a file is replaced, keeps its mode, and leaves no litter', async (setup) => {
    await setup.put('d/a', OLD, 0o751);
    const file = await lockOne(setup.workspace, 'd/a');
    const staged = await file.stage(await next(NEW));
    assert.deepEqual(staged.intent, {
      root: setup.workspace.root,
      path: 'd/a',
      from: await state(OLD, 0o751),
      to: await state(NEW, 0o751),
      ...file.names,
      madeDirs: [],
    });
    assert.deepEqual(await setup.list(), ['d/a']);
    await staged.write();
    await assertText(setup, 'd/a', OLD);
    assert.deepEqual(await staged.publish(), { published: true, state: await state(NEW, 0o751) });
    await assertText(setup, 'd/a', NEW);
    await staged.settle();
    await file.release();
    assert.deepEqual(await setup.list(), ['d/a']);
    assert.equal((await setup.get('d/a'))?.mode, 0o751);
  });

  test('[D15] a mode is set where it is given', async (setup) => {
    await setup.put('a', OLD, 0o644);
    const file = await lockOne(setup.workspace, 'a');
    const staged = await file.stage(await next(NEW, 0o700));
    await staged.write();
    assert.deepEqual(await staged.publish(), { published: true, state: await state(NEW, 0o700) });
    await staged.settle();
    await file.release();
    assert.equal((await setup.get('a'))?.mode, 0o700);
  });

  test('a file is created with its missing parents', async (setup) => {
    const file = await lockOne(setup.workspace, 'd/e/new');
    const staged = await file.stage(await next(NEW, 0o600));
    assert.deepEqual([staged.intent.from, staged.intent.madeDirs], [null, ['d', 'd/e']]);
    await staged.write();
    assert.equal(await setup.get('d/e/new'), null);
    assert.deepEqual(await staged.publish(), { published: true, state: await state(NEW, 0o600) });
    await staged.settle();
    await file.release();
    assert.deepEqual(await setup.list(), ['d/e/new']);
    await assertText(setup, 'd/e/new', NEW);
  });

  test('a file is removed', async (setup) => {
    await setup.put('d/a', OLD);
    const file = await lockOne(setup.workspace, 'd/a');
    const staged = await file.stage({ at: 'absent' });
    assert.equal(staged.intent.to, null);
    await staged.write();
    assert.deepEqual(await staged.publish(), { published: true, state: null });
    await staged.settle();
    await file.release();
    assert.deepEqual([await setup.list(), (await setup.get('d'))?.kind], [[], 'directory']);
  });

  test('directories that the undone change had made go with its file, as far as they are empty', async (setup) => {
    await setup.put('d/e/f/a', OLD);
    await setup.put('d/keep', OLD);
    const file = await lockOne(setup.workspace, 'd/e/f/a');
    const madeDirs = ['d', 'd/e', 'd/e/f'];
    const staged = await file.stage({ at: 'absent', madeDirs });
    assert.deepEqual(staged.intent.madeDirs, madeDirs);
    await staged.write();
    assert.equal((await staged.publish()).published, true);
    await staged.settle();
    await file.release();
    assert.deepEqual([await setup.list(), await setup.get('d/e')], [['d/keep'], null]);
  });

  test('a displaced copy that was written late is never removed: recovery gives it its name back', async (setup) => {
    await setup.put('a', OLD);
    const file = await lockOne(setup.workspace, 'a');
    const staged = await file.stage(await next(NEW));
    await staged.write();
    assert.equal((await staged.publish()).published, true);
    // By a program that had the old file open all the time.
    await setup.overwrite(staged.intent.displaced, FOREIGN);
    await rejectsWith(staged.settle(), 'fileFailed');
    await file.release();
    const settled = await setup.workspace.settle(staged.intent);
    assert.ok('result' in settled && settled.result === 'prior' && settled.reason === 'foreignWrite');
    await assertText(setup, 'a', FOREIGN);
    assert.deepEqual(await setup.list(), ['a']);
  });

  test('a link is replaced and removed as a thing of its own', async (setup) => {
    await setup.put('a', OLD);
    await setup.putLink('l', 'a');
    const file = await lockOne(setup.workspace, 'l');
    assert.ok(file.seen.at === 'symlink');
    const staged = await file.stage(await next(utf8('elsewhere'), null, 'symlink'));
    await staged.write();
    const result = await staged.publish();
    assert.ok(result.published === true && result.state?.kind === 'symlink');
    await staged.settle();
    await file.look();
    const removal = await file.stage({ at: 'absent' });
    await removal.write();
    assert.equal((await removal.publish()).published, true);
    await removal.settle();
    await file.release();
    assert.deepEqual(await setup.list(), ['a']);
    await assertText(setup, 'a', OLD);
  });

  test('an abort before the publish leaves nothing behind', async (setup) => {
    await setup.put('a', OLD);
    for (const path of ['a', 'd/e/new']) {
      const file = await lockOne(setup.workspace, path);
      const staged = await file.stage(await next(NEW));
      await staged.write();
      await staged.abort();
      await file.release();
    }
    assert.deepEqual([await setup.list(), await setup.get('d')], [['a'], null]);
    await assertText(setup, 'a', OLD);
  });

  test('an abort leaves a made directory in which somebody put a file', async (setup) => {
    const file = await lockOne(setup.workspace, 'd/e/new');
    const staged = await file.stage(await next(NEW));
    await staged.write();
    await setup.put('d/theirs', FOREIGN);
    await staged.abort();
    await file.release();
    assert.deepEqual([await setup.list(), await setup.get('d/e')], [['d/theirs'], null]);
  });

  test('a name of 255 bytes can be written', async (setup) => {
    const name = 'n'.repeat(255);
    const file = await lockOne(setup.workspace, name);
    const staged = await file.stage(await next(NEW));
    await staged.write();
    assert.equal((await staged.publish()).published, true);
    await staged.settle();
    await file.release();
    assert.deepEqual(await setup.list(), [name]);
  });
}

interface Interference {
  name: string;
  before: 'file' | 'absent';
  to: 'file' | 'absent';
  act(setup: WorkspaceSetup): Promise<void>;
  reason: string;
  left: Uint8Array | null;
}

const otherFile = (setup: WorkspaceSetup): Promise<void> => setup.put('d/a', FOREIGN);
const gone = (setup: WorkspaceSetup): Promise<void> => setup.remove('d/a');
async function asDirectory(setup: WorkspaceSetup): Promise<void> {
  await setup.remove('d/a');
  await setup.putDirectory('d/a');
}
async function asLink(setup: WorkspaceSetup): Promise<void> {
  await setup.remove('d/a');
  await setup.put('d/b', OLD);
  await setup.putLink('d/a', 'b');
}

const LINK = utf8('b');
const NO_BYTES = new Uint8Array();
const INTERFERENCES: Interference[] = [
  { name: 'other bytes', before: 'file', to: 'file', act: otherFile, reason: 'changedOnDisk', left: FOREIGN },
  { name: 'no file', before: 'file', to: 'file', act: gone, reason: 'deleted', left: null },
  {
    name: 'a directory',
    before: 'file',
    to: 'file',
    act: asDirectory,
    reason: 'replacedKind',
    left: NO_BYTES,
  },
  {
    name: 'a link to the same bytes',
    before: 'file',
    to: 'file',
    act: asLink,
    reason: 'replacedKind',
    left: LINK,
  },
  {
    name: 'other bytes',
    before: 'file',
    to: 'absent',
    act: otherFile,
    reason: 'changedOnDisk',
    left: FOREIGN,
  },
  { name: 'no file', before: 'file', to: 'absent', act: gone, reason: 'deleted', left: null },
  {
    name: 'a directory',
    before: 'file',
    to: 'absent',
    act: asDirectory,
    reason: 'replacedKind',
    left: NO_BYTES,
  },
  { name: 'a file', before: 'absent', to: 'file', act: otherFile, reason: 'changedOnDisk', left: FOREIGN },
  {
    name: 'a directory',
    before: 'absent',
    to: 'file',
    act: asDirectory,
    reason: 'replacedKind',
    left: NO_BYTES,
  },
  { name: 'a link', before: 'absent', to: 'file', act: asLink, reason: 'replacedKind', left: LINK },
];

function refusalTests(contract: Contract<WorkspaceSetup>): void {
  const test = tester(contract);

  for (const { name, before, to, act, reason, left } of INTERFERENCES) {
    test(`[D1] ${before} → ${to}, but ${name} stands there: ${reason}, left alone`, async (setup) => {
      await setup.put('d/other', OLD);
      if (before === 'file') await setup.put('d/a', OLD);
      const file = await lockOne(setup.workspace, 'd/a');
      const staged = await file.stage(to === 'file' ? await next(NEW) : { at: 'absent' });
      await staged.write();
      await act(setup);
      const after = (await setup.list()).filter((path) => !path.endsWith('~'));
      const result = await staged.publish();
      assert.ok(result.published === false, JSON.stringify(result));
      assert.equal(result.reason, reason);
      assert.notEqual(result.message, '');
      await staged.abort();
      await file.release();
      assert.deepEqual(await setup.list(), after);
      const entry = await setup.get('d/a');
      assert.deepEqual(entry === null ? null : new Uint8Array(entry.bytes), left);
    });
  }

  test('[D1] a rewrite of the same bytes is no conflict', async (setup) => {
    await setup.put('a', OLD);
    const file = await lockOne(setup.workspace, 'a');
    const staged = await file.stage(await next(NEW));
    await staged.write();
    await setup.put('a', OLD);
    assert.equal((await staged.publish()).published, true);
    await staged.settle();
    await file.release();
    assert.deepEqual(await setup.list(), ['a']);
  });

  test('[D8] a parent that became a link is not followed', async (setup) => {
    await setup.put('d/a', OLD);
    await setup.put('e/a', OLD);
    const file = await lockOne(setup.workspace, 'd/a');
    const staged = await file.stage(await next(NEW));
    await setup.remove('d');
    await setup.putLink('d', 'e');
    const publish = async (): Promise<unknown> => {
      await staged.write();
      const { published } = await staged.publish();
      return published;
    };
    assert.notEqual(await publish().catch(() => 'refused'), true);
    await staged.abort().catch(() => {});
    await file.release();
    await assertText(setup, 'e/a', OLD);
    assert.ok(isRefused(await setup.workspace.locate('d/a')));
    assert.deepEqual(await setup.list(), ['d', 'e/a']);
  });

  test('what can not be reviewed can not be written', async (setup) => {
    await setup.putDirectory('d');
    const file = await lockOne(setup.workspace, 'd');
    assert.ok(file.seen.at === 'unsupported' && file.seen.what === 'directory');
    await rejectsWith(file.stage(await next(NEW)), 'unsupportedKind');
    await file.release();
    assert.equal((await setup.get('d'))?.kind, 'directory');
  });
}
