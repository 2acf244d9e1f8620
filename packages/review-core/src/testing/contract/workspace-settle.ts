import assert from 'node:assert/strict';
import { isBusy } from '../../ports/capabilities.ts';
import type { FileIntent, Settlement } from '../../ports/workspace.ts';
import { isRefused } from '../../ports/workspace.ts';
import type { Contract } from './runner.ts';
import { tester } from './runner.ts';
import type { WorkspaceSetup } from './workspace.ts';
import { assertText, FOREIGN, lockOne, NEW, OLD, state } from './workspace-files.ts';

const TEMP = '.bs-t~';
const DISPLACED = '.bs-d~';

/** Which content stands under a name: `null` is nothing, `twin` the same file as the target. */
interface Place {
  target: Uint8Array | null;
  displaced: Uint8Array | null | 'twin';
  temp?: boolean;
}

interface Row extends Place {
  name: string;
  from: Uint8Array | null;
  to: Uint8Array | null;
  result: Settlement['result'];
  reason?: 'foreignWrite';
  /** What stands at the target afterwards. */
  left: Uint8Array | null;
}

const ROWS: Row[] = [
  { name: 'nothing done', from: OLD, to: NEW, target: OLD, displaced: null, result: 'prior', left: OLD },
  {
    name: 'temp made',
    from: OLD,
    to: NEW,
    target: OLD,
    displaced: null,
    temp: true,
    result: 'prior',
    left: OLD,
  },
  {
    name: 'linked aside',
    from: OLD,
    to: NEW,
    target: OLD,
    displaced: 'twin',
    temp: true,
    result: 'prior',
    left: OLD,
  },
  { name: 'published', from: OLD, to: NEW, target: NEW, displaced: OLD, result: 'done', left: NEW },
  { name: 'settled', from: OLD, to: NEW, target: NEW, displaced: null, result: 'done', left: NEW },
  {
    name: 'published over a foreign edit',
    from: OLD,
    to: NEW,
    target: NEW,
    displaced: FOREIGN,
    result: 'prior',
    reason: 'foreignWrite',
    left: FOREIGN,
  },
  { name: 'target taken away', from: OLD, to: NEW, target: null, displaced: OLD, result: 'prior', left: OLD },
  {
    name: 'foreign taken away',
    from: OLD,
    to: NEW,
    target: null,
    displaced: FOREIGN,
    result: 'prior',
    left: FOREIGN,
  },
  {
    name: 'create: nothing done',
    from: null,
    to: NEW,
    target: null,
    displaced: null,
    temp: true,
    result: 'prior',
    left: null,
  },
  {
    name: 'create: published',
    from: null,
    to: NEW,
    target: NEW,
    displaced: null,
    temp: true,
    result: 'done',
    left: NEW,
  },
  {
    name: 'remove: nothing done',
    from: OLD,
    to: null,
    target: OLD,
    displaced: null,
    result: 'prior',
    left: OLD,
  },
  {
    name: 'remove: moved aside',
    from: OLD,
    to: null,
    target: null,
    displaced: OLD,
    result: 'done',
    left: null,
  },
  {
    name: 'remove: a foreign edit moved aside',
    from: OLD,
    to: null,
    target: null,
    displaced: FOREIGN,
    result: 'prior',
    reason: 'foreignWrite',
    left: FOREIGN,
  },
];

const HOPELESS: (Place & { name: string })[] = [
  { name: 'a third content', target: FOREIGN, displaced: null },
  { name: 'a third content, and the old one aside', target: FOREIGN, displaced: OLD },
  { name: 'the old content, and a third aside', target: OLD, displaced: FOREIGN },
  { name: 'nothing at all', target: null, displaced: null },
];

async function place(setup: WorkspaceSetup, { target, displaced, temp }: Place): Promise<void> {
  await setup.put('d/other', OLD);
  if (target !== null) await setup.put('d/a', target);
  if (displaced === 'twin') await setup.hardLink('d/a', `d/${DISPLACED}`);
  else if (displaced !== null) await setup.put(`d/${DISPLACED}`, displaced);
  if (temp === true) await setup.put(`d/${TEMP}`, NEW.slice(0, 3));
}

async function intentOf(
  setup: WorkspaceSetup,
  from: Uint8Array | null,
  to: Uint8Array | null,
  path = 'd/a',
): Promise<FileIntent> {
  const stateOrNull = async (bytes: Uint8Array | null) => (bytes === null ? null : state(bytes));
  return {
    root: setup.workspace.root,
    path,
    from: await stateOrNull(from),
    to: await stateOrNull(to),
    temp: TEMP,
    displaced: DISPLACED,
    madeDirs: [],
  };
}

async function settle(setup: WorkspaceSetup, intent: FileIntent): Promise<Settlement> {
  const settlement = await setup.workspace.settle(intent);
  assert.ok('result' in settlement, JSON.stringify(settlement));
  assert.notEqual(settlement.message, '');
  return settlement;
}

export function settleTests(contract: Contract<WorkspaceSetup>): void {
  rowTests(contract);
  const test = tester(contract);

  test('[D1] an intent of a place outside the roots is refused', async (setup) => {
    const intent = await intentOf(setup, OLD, NEW);
    for (const wrong of [{ root: '/elsewhere' }, { path: '../a' }, { path: '' }]) {
      assert.ok(isRefused(await setup.workspace.settle({ ...intent, ...wrong })), JSON.stringify(wrong));
    }
  });

  test('[D8] names that an intent gives can not lead out of the directory', async (setup) => {
    await setup.put('d/a', OLD);
    await setup.put('victim', FOREIGN);
    const intent = await intentOf(setup, OLD, NEW);
    for (const name of ['../victim', '', '.', '..', 'a/b', 'nul\0']) {
      for (const wrong of [{ temp: name }, { displaced: name }]) {
        assert.ok(isRefused(await setup.workspace.settle({ ...intent, ...wrong })), JSON.stringify(wrong));
      }
    }
    assert.deepEqual(await setup.list(), ['d/a', 'victim']);
  });

  test('a locked path is left alone', async (setup) => {
    await setup.put('d/a', OLD);
    const held = await lockOne(await setup.peer(), 'd/a');
    assert.ok(isBusy(await setup.workspace.settle(await intentOf(setup, OLD, NEW))));
    await held.release();
  });

  test('directories that a create made go with it, as far as they are empty', async (setup) => {
    await setup.put('p/keep', OLD);
    await setup.putDirectory('p/q/r');
    const intent = { ...(await intentOf(setup, null, NEW, 'p/q/r/a')), madeDirs: ['p', 'p/q', 'p/q/r'] };
    assert.equal((await settle(setup, intent)).result, 'prior');
    assert.deepEqual([await setup.list(), await setup.get('p/q')], [['p/keep'], null]);
  });

  test('where the bytes are the same, the mode tells the two ends apart', async (setup) => {
    const intent = { ...(await intentOf(setup, OLD, OLD)), to: await state(OLD, 0o755) };
    await setup.put('d/a', OLD, 0o644);
    assert.equal((await settle(setup, intent)).result, 'prior');
    await setup.put('d/a', OLD, 0o755);
    assert.equal((await settle(setup, intent)).result, 'done');
  });
}

function rowTests(contract: Contract<WorkspaceSetup>): void {
  const test = tester(contract);

  for (const { name, from, to, result, reason, left, ...places } of ROWS) {
    test(`[D2] recovery, ${name}: ${reason ?? result}`, async (setup) => {
      await place(setup, places);
      const intent = await intentOf(setup, from, to);
      for (const round of [1, 2]) {
        const settlement = await settle(setup, intent);
        // What was put back is neither end, so that a second look can only leave it alone.
        if (round === 2 && left === FOREIGN) assert.equal(settlement.result, 'attention');
        else assert.deepEqual([settlement.result, settlement.reason], [result, reason ?? null]);
        assert.deepEqual(settlement.target, left === null ? null : await state(left));
        assert.equal(settlement.displaced, null);
        await assertText(setup, 'd/a', left);
        assert.deepEqual(await setup.list(), left === null ? ['d/other'] : ['d/a', 'd/other']);
      }
    });
  }

  for (const { name, ...places } of HOPELESS) {
    test(`[D2] recovery, ${name}: nothing is touched, and it is told`, async (setup) => {
      await place(setup, { ...places, temp: true });
      const before = await setup.list();
      const settlement = await settle(setup, await intentOf(setup, OLD, NEW));
      assert.deepEqual([settlement.result, settlement.reason], ['attention', null]);
      assert.deepEqual(settlement.target, places.target === null ? null : await state(places.target));
      assert.deepEqual(await setup.list(), before);
      await assertText(setup, 'd/a', places.target);
    });
  }

  test('[D2] recovery touches nothing where a directory stands', async (setup) => {
    await setup.putDirectory('d/a');
    await setup.put(`d/${DISPLACED}`, OLD);
    assert.equal((await settle(setup, await intentOf(setup, OLD, NEW))).result, 'attention');
    assert.deepEqual([await setup.list(), (await setup.get('d/a'))?.kind], [[`d/${DISPLACED}`], 'directory']);
  });
}
