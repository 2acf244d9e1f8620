import assert from 'node:assert/strict';
import { isBusy } from '../../ports/capabilities.ts';
import { isRefused } from '../../ports/workspace.ts';
import type { Contract } from './runner.ts';
import { tester } from './runner.ts';
import type { WorkspaceSetup } from './workspace.ts';
import { lockOne, NEW, OLD, state } from './workspace-files.ts';

const BRIEF = { timeoutMs: 20 };

export function lockTests(contract: Contract<WorkspaceSetup>): void {
  const test = tester(contract);

  test('a locked file knows what it saw, and which parents are missing', async (setup) => {
    await setup.put('d/a', OLD, 0o600);
    const file = await lockOne(setup.workspace, 'd/a');
    assert.ok(file.seen.at === 'file');
    assert.deepEqual(file.seen.state, await state(OLD, 0o600));
    assert.deepEqual([file.path, file.missingDirs], ['d/a', []]);
    assert.ok(file.names.temp !== file.names.displaced && file.names.temp.endsWith('~'));
    await file.release();
    const created = await lockOne(setup.workspace, 'd/e/f/new');
    assert.deepEqual([created.seen, created.missingDirs], [{ at: 'absent' }, ['d/e', 'd/e/f']]);
    await created.release();
    assert.deepEqual(await setup.list(), ['d/a']);
  });

  test('looking again sees what a tool wrote by itself', async (setup) => {
    await setup.put('a', OLD);
    const file = await lockOne(setup.workspace, 'a');
    await setup.put('a', NEW);
    assert.ok(file.seen.at === 'file' && file.seen.state.size === OLD.length);
    const seen = await file.look();
    assert.ok(seen.at === 'file' && seen.state.size === NEW.length);
    assert.deepEqual(file.seen, seen);
    await file.release();
  });

  test('[D6] a path has one holder, over all handles', async (setup) => {
    const { workspace } = setup;
    const other = await setup.peer();
    const file = await lockOne(workspace, 'a');
    for (const contender of [workspace, other]) {
      const answer = await contender.lock(['a'], BRIEF);
      assert.ok(isBusy(answer));
      assert.deepEqual([answer.what, answer.path], ['path', 'a']);
    }
    await (await lockOne(other, 'b', BRIEF)).release();
    await file.release();
    await (await lockOne(other, 'a', BRIEF)).release();
  });

  test('several paths are locked together, or none', async (setup) => {
    const { workspace } = setup;
    const other = await setup.peer();
    const held = await lockOne(other, 'b');
    assert.ok(isBusy(await workspace.lock(['a', 'b', 'c'], BRIEF)));
    await (await lockOne(other, 'a', BRIEF)).release();
    assert.ok(isRefused(await workspace.lock(['a', '../x'], BRIEF)));
    await (await lockOne(other, 'a', BRIEF)).release();
    await held.release();
    const files = await workspace.lock(['c', 'a', 'b'], BRIEF);
    assert.ok(Array.isArray(files));
    assert.deepEqual(
      files.map(({ path }) => path),
      ['c', 'a', 'b'],
    );
    for (const file of files) await file.release();
  });

  test('a contender gets the lock once it is released', async (setup) => {
    const file = await lockOne(setup.workspace, 'a');
    const waiting = (await setup.peer()).lock(['a']);
    await file.release();
    const files = await waiting;
    assert.ok(Array.isArray(files));
    await files[0]!.release();
  });
}
