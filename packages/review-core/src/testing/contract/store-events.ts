import assert from 'node:assert/strict';
import type { EventData, Revision, SessionStore } from '../../ports/store.ts';
import type { Contract } from './runner.ts';
import { collect, deferred, tester } from './runner.ts';
import type { StoreSetup } from './store.ts';
import { make } from './store-sessions.ts';

export async function eventsOf(session: SessionStore, from?: Revision): Promise<EventData[]> {
  const items = await collect(session.read(from));
  return items.map((item) => {
    assert.ok('event' in item, `unreadable: ${JSON.stringify(item)}`);
    return item.event;
  });
}

const STRANGE_EVENTS: EventData[] = [
  { t: 'text', text: 'line\nend, CR \r, NUL \0, quote ", \u2028 and \u2029, brace }{, 😀' },
  { t: 'half', text: '\ud83d' },
  JSON.parse('{"t":"proto","__proto__":{"a":1}}') as EventData,
  { t: 'nested', a: [{ b: [null, true, 1e21, -0.5, ''] }] },
  { t: 'long', text: 'x'.repeat(200_000) },
  { t: '' },
];

export function eventTests(contract: Contract<StoreSetup>): void {
  const test = tester(contract);

  test('events come back in order and whole, in other handles too', async ({ store, reopen }) => {
    const session = await make(store, 's');
    await session.write((writer) => writer.append([{ t: 'a', n: 1 }]));
    await session.write(async (writer) => {
      await writer.append([{ t: 'b', n: 2 }, { t: 'c' }]);
      await writer.append([]);
      await writer.append([{ t: 'd' }]);
    });
    const expected = [{ t: 'a', n: 1 }, { t: 'b', n: 2 }, { t: 'c' }, { t: 'd' }];
    assert.deepEqual(await eventsOf(session), expected);
    assert.deepEqual(await eventsOf(await make(await reopen(), 's')), expected);
  });

  test('whatever JSON can hold comes back as it was', async ({ store, reopen }) => {
    const session = await make(store, 's');
    await session.write((writer) => writer.append(STRANGE_EVENTS));
    assert.deepEqual(await eventsOf(await make(await reopen(), 's')), STRANGE_EVENTS);
  });

  test('a revision is the place behind an event', async ({ store, reopen }) => {
    const session = await make(store, 's');
    const revisions: Revision[] = [];
    await session.write(async (writer) => {
      revisions.push(writer.top);
      for (const t of ['a', 'b', 'c']) revisions.push(await writer.append([{ t }]));
      assert.equal(writer.top, revisions.at(-1));
      assert.equal(await writer.append([]), writer.top);
    });
    const other = await make(await reopen(), 's');
    const read = await collect(other.read());
    assert.deepEqual(
      read.map(({ revision }) => revision),
      revisions.slice(1),
    );
    for (const [index, revision] of revisions.entries()) {
      assert.equal(await other.knows(revision), true);
      assert.equal((await eventsOf(other, revision)).length, 3 - index);
    }
  });

  test('an unknown revision is not known, and reading from it starts over', async ({ store }) => {
    const session = await make(store, 's');
    const top = await session.write((writer) => writer.append([{ t: 'a' }]));
    const other = await make(store, 'other');
    const foreign = await other.write((writer) => writer.append([{ t: 'a' }, { t: 'b' }]));
    for (const revision of ['', 'nonsense', 'x:0', `${String(top)}9`, `${String(top)}-`, String(foreign)]) {
      assert.equal(await session.knows(revision), false, revision);
      assert.deepEqual(await eventsOf(session, revision), [{ t: 'a' }], revision);
    }
  });

  test('an event is a copy, at both ends', async ({ store }) => {
    const session = await make(store, 's');
    const event: EventData = { t: 'a', list: [1] };
    await session.write((writer) => writer.append([event]));
    (event.list as number[]).push(2);
    const [read] = await eventsOf(session);
    (read!.list as number[]).push(3);
    assert.deepEqual(await eventsOf(session), [{ t: 'a', list: [1] }]);
  });

  test('what is appended without a sync is read by others at once', async ({ store, reopen }) => {
    const session = await make(store, 's');
    await session.write((writer) => writer.append([{ t: 'mark' }]), { sync: false });
    assert.deepEqual(await eventsOf(await make(await reopen(), 's')), [{ t: 'mark' }]);
  });

  test("another handle's appends are told to watchers, until they stop", async ({ store, reopen }) => {
    const session = await make(store, 's');
    const other = await make(await reopen(), 's');
    const first = deferred();
    let calls = 0;
    const stop = session.watch(() => {
      calls += 1;
      first.resolve();
    });
    await other.write((writer) => writer.append([{ t: 'a' }]));
    await first.promise;
    stop();
    const before = calls;
    const second = deferred();
    const stopSecond = session.watch(second.resolve);
    await other.write((writer) => writer.append([{ t: 'b' }]));
    await second.promise;
    stopSecond();
    assert.equal(calls, before);
    assert.equal((await eventsOf(session)).length, 2);
  });
}
