import assert from 'node:assert/strict';
import type { Contract } from './runner.ts';
import { collect, tester } from './runner.ts';
import type { StoreSetup } from './store.ts';
import { eventsOf } from './store-events.ts';
import { make } from './store-sessions.ts';

export function damageTests(contract: Contract<StoreSetup>): void {
  const test = tester(contract);

  for (const index of [0, 1, 2]) {
    test(`[D10] a damaged event hides no other (number ${index} of 3)`, async ({ store, damage, reopen }) => {
      const session = await make(store, 's');
      const names = ['a', 'b', 'c'];
      await session.write((writer) => writer.append(names.map((t) => ({ t }))));
      await damage('s', index);
      const other = await make(await reopen(), 's');
      const items = await collect(other.read());
      assert.deepEqual(
        items.map((item) => ('event' in item ? item.event.t : item.unreadable)),
        names.map((name, at) => (at === index ? 'damaged' : name)),
      );
      const bad = items[index]!;
      assert.ok('unreadable' in bad && bad.length > 0 && bad.reason !== '');
      assert.deepEqual(await collect(other.read(bad.revision)), items.slice(index + 1));
      await other.write((writer) => writer.append([{ t: 'd' }]));
      assert.equal((await collect(other.read())).length, 4);
    });
  }

  test('[D10] a torn tail is not yet, and an append behind it stands whole', async ({
    store,
    tear,
    reopen,
  }) => {
    const session = await make(store, 's');
    const top = await session.write((writer) => writer.append([{ t: 'a' }]));
    await tear('s');
    assert.deepEqual(await eventsOf(session), [{ t: 'a' }]);
    assert.equal(await session.knows(String(top)), true);
    const other = await make(await reopen(), 's');
    await other.write((writer) => writer.append([{ t: 'b' }]));
    const items = await collect(session.read());
    assert.deepEqual(
      items.map((item) => ('event' in item ? item.event : item.unreadable)),
      [{ t: 'a' }, 'damaged', { t: 'b' }],
    );
  });
}
