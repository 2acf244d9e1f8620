import assert from 'node:assert/strict';
import type { PublishResult, Staged } from '../../ports/workspace.ts';
import type { Contract } from './runner.ts';
import { tester } from './runner.ts';
import type { ContractStep, WorkspaceSetup } from './workspace.ts';
import { assertText, FOREIGN, lockOne, NEW, next, OLD } from './workspace-files.ts';

/** Publishes NEW (or nothing) over OLD while a foreign program acts at `step`. */
async function race(
  setup: WorkspaceSetup,
  step: ContractStep,
  act: () => Promise<void>,
  to: 'file' | 'absent' = 'file',
): Promise<{ result: PublishResult; staged: Staged }> {
  await setup.put('a', OLD);
  const file = await lockOne(setup.workspace, 'a');
  const staged = await file.stage(to === 'file' ? await next(NEW) : { at: 'absent' });
  await staged.write();
  setup.onStep!(step, act);
  const result = await staged.publish();
  if (result.published === false) await staged.abort();
  await file.release();
  return { result, staged };
}

/** A foreign program writes while a publish goes on. */
export function stepTests(contract: Contract<WorkspaceSetup>): void {
  const test = tester(contract);

  for (const step of ['beforeLink', 'beforeRename'] as const) {
    test(`[D17] a foreign rename ${step} is kept`, async (setup) => {
      const { result } = await race(setup, step, () => setup.put('a', FOREIGN));
      assert.ok(result.published === false, JSON.stringify(result));
      await assertText(setup, 'a', FOREIGN);
      assert.deepEqual(await setup.list(), ['a']);
    });
  }

  test('[D17] an edit in place beforeRename is found in what was displaced, and put back', async (setup) => {
    const { result } = await race(setup, 'beforeRename', () => setup.overwrite('a', FOREIGN));
    assert.ok(result.published === false && result.reason === 'foreignWrite', JSON.stringify(result));
    await assertText(setup, 'a', FOREIGN);
    assert.deepEqual(await setup.list(), ['a']);
  });

  test('[D17] an edit of a doomed file is put back', async (setup) => {
    const { result } = await race(setup, 'beforeLink', () => setup.overwrite('a', FOREIGN), 'absent');
    assert.ok(result.published === false && result.reason === 'foreignWrite', JSON.stringify(result));
    await assertText(setup, 'a', FOREIGN);
    assert.deepEqual(await setup.list(), ['a']);
  });

  test('[D17] two foreign writes at once: both copies stand, and are named', async (setup) => {
    const { result, staged } = await race(setup, 'afterRename', async () => {
      await setup.overwrite(displacedAmong(await setup.list()), FOREIGN);
      await setup.put('a', OLD);
    });
    assert.ok(result.published === 'attention', JSON.stringify(result));
    assert.deepEqual([...result.names].sort(), ['a', staged.intent.displaced].sort());
    await assertText(setup, staged.intent.displaced, FOREIGN);
    await assertText(setup, 'a', OLD);
  });

  test('[D17] a file that appears while one is created is kept', async (setup) => {
    const file = await lockOne(setup.workspace, 'b');
    const staged = await file.stage(await next(NEW));
    await staged.write();
    setup.onStep!('beforeLink', () => setup.put('b', FOREIGN));
    const result = await staged.publish();
    assert.ok(result.published === false && result.reason === 'changedOnDisk', JSON.stringify(result));
    await staged.abort();
    await file.release();
    await assertText(setup, 'b', FOREIGN);
    assert.deepEqual(await setup.list(), ['b']);
  });
}

/** The name under which the displaced file stands while a publish goes on. */
function displacedAmong(paths: string[]): string {
  const name = paths.find((path) => path !== 'a');
  assert.ok(name !== undefined);
  return name;
}
