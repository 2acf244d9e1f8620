import assert from 'node:assert/strict';
import { isBusy } from '../../ports/capabilities.ts';
import type { SessionStore } from '../../ports/store.ts';
import type { Contract } from './runner.ts';
import { deferred, rejectsWith, tester } from './runner.ts';
import type { StoreSetup } from './store.ts';
import { eventsOf } from './store-events.ts';
import { make } from './store-sessions.ts';

async function pair(session: SessionStore, name: string): Promise<void> {
  const result = await session.write(async (writer) => {
    await writer.append([{ t: 'first', name }]);
    await new Promise((resolve) => setTimeout(resolve, 0));
    await writer.append([{ t: 'second', name }]);
  });
  assert.equal(isBusy(result), false);
}

export function exclusionTests(contract: Contract<StoreSetup>): void {
  const test = tester(contract);

  test('[D6] two handles that write at once never interleave', async ({ store, reopen }) => {
    const one = await make(store, 's');
    const two = await make(await reopen(), 's');
    const names = Array.from({ length: 12 }, (_, index) => `w${index}`);
    await Promise.all(names.map((name, index) => pair(index % 2 === 0 ? one : two, name)));
    const events = await eventsOf(one);
    const firsts = events.filter(({ t }) => t === 'first').map(({ name }) => name);
    assert.deepEqual(
      events,
      firsts.flatMap((name) => [
        { t: 'first', name },
        { t: 'second', name },
      ]),
    );
    assert.deepEqual([...firsts].sort(), [...names].sort());
  });

  test('write answers what its function answers', async ({ store }) => {
    const session = await make(store, 's');
    assert.deepEqual(await session.write(async () => ({ value: 1 })), { value: 1 });
  });

  test('a function that throws rejects with its error, keeps what it appended, and frees the session', async ({
    store,
  }) => {
    const session = await make(store, 's');
    const failure = new Error('of the caller');
    await assert.rejects(
      session.write(async (writer) => {
        await writer.append([{ t: 'a' }]);
        throw failure;
      }),
      (error) => error === failure,
    );
    await session.write((writer) => writer.append([{ t: 'b' }]));
    assert.deepEqual(await eventsOf(session), [{ t: 'a' }, { t: 'b' }]);
  });

  test('a session in other hands answers busy, and is free afterwards', async ({ store, hold }) => {
    const session = await make(store, 's');
    const release = await hold('s');
    let entered = false;
    const answer = await session.write(async () => {
      entered = true;
    });
    assert.ok(isBusy(answer));
    assert.equal(answer.what, 'session');
    assert.equal(entered, false);
    await release();
    await session.write((writer) => writer.append([{ t: 'a' }]));
    assert.deepEqual(await eventsOf(session), [{ t: 'a' }]);
  });

  test('reading and other sessions do not wait for a held session', async ({ store, hold }) => {
    const session = await make(store, 's');
    await session.write((writer) => writer.append([{ t: 'a' }]));
    const other = await make(store, 'other');
    const release = await hold('s');
    assert.deepEqual(await eventsOf(session), [{ t: 'a' }]);
    await other.write((writer) => writer.append([{ t: 'b' }]));
    await release();
  });

  test('[D6] a writer whose session was taken away appends nothing', async ({ store, reopen, takeAway }) => {
    const session = await make(store, 's');
    const taken = deferred();
    const inside = deferred();
    const late = session.write(async (writer) => {
      await writer.append([{ t: 'early' }]);
      inside.resolve();
      await taken.promise;
      await writer.append([{ t: 'late' }]);
    });
    const refused = rejectsWith(late, 'lockLost');
    await inside.promise;
    await takeAway('s');
    const other = await make(await reopen(), 's');
    await other.write((writer) => writer.append([{ t: 'taker' }]));
    taken.resolve();
    await refused;
    assert.deepEqual(await eventsOf(other), [{ t: 'early' }, { t: 'taker' }]);
  });

  test('a writer is of no use behind its write', async ({ store }) => {
    const session = await make(store, 's');
    let append: () => Promise<unknown> = async () => null;
    await session.write(async (writer) => {
      append = () => writer.append([{ t: 'late' }]);
    });
    await rejectsWith(append(), 'lockLost');
    assert.deepEqual(await eventsOf(session), []);
  });
}
