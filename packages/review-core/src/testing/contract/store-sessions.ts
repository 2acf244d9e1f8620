import assert from 'node:assert/strict';
import type { ReviewStore, SessionStore } from '../../ports/store.ts';
import type { Contract } from './runner.ts';
import { collect, deferred, rejectsWith, tester } from './runner.ts';
import type { StoreSetup } from './store.ts';

export async function make(store: ReviewStore, id: string): Promise<SessionStore> {
  const session = await store.session(id, { create: true });
  assert.ok(session !== null);
  return session;
}

const STRANGE_IDS = [
  'a',
  'A',
  '../a',
  'a/b',
  'a\\b',
  '.',
  '__proto__',
  'nul\0',
  'ü',
  '日本',
  'con',
  'x'.repeat(1000),
];

export function sessionTests(contract: Contract<StoreSetup>): void {
  const test = tester(contract);

  test('an unknown session is null, and asking makes none', async ({ store }) => {
    assert.equal(await store.session('nobody'), null);
    assert.deepEqual(await collect(store.sessions()), []);
  });

  test('a session that was made is listed, in other handles too', async ({ store, reopen }) => {
    assert.equal((await make(store, 's1')).id, 's1');
    const [info, ...more] = await collect((await reopen()).sessions());
    assert.deepEqual(more, []);
    assert.equal(info?.id, 's1');
    assert.equal(info.app, store.owner.app);
    assert.equal(info.forkedFrom, null);
    assert.equal(new Date(info.createdAt).toISOString(), info.createdAt);
    assert.notEqual(await (await reopen()).session('s1'), null);
  });

  test('[D11] every spelling of an id is a session of its own', async ({ store, reopen }) => {
    for (const id of STRANGE_IDS) {
      const session = await make(store, id);
      await session.write((writer) => writer.append([{ t: 'is', id }]));
    }
    const other = await reopen();
    assert.deepEqual((await collect(other.sessions())).map(({ id }) => id).sort(), [...STRANGE_IDS].sort());
    for (const id of STRANGE_IDS) {
      const [first, ...more] = await collect((await make(other, id)).read());
      assert.deepEqual([first !== undefined && 'event' in first && first.event, more], [{ t: 'is', id }, []]);
    }
  });

  test('making a session twice finds the first', async ({ store, reopen }) => {
    const first = await make(store, 's');
    await first.write((writer) => writer.append([{ t: 'one' }]));
    assert.equal((await collect((await make(await reopen(), 's')).read())).length, 1);
    assert.equal((await collect(store.sessions())).length, 1);
  });

  test('sessions that are made are told to watchers of the store', async ({ store, reopen }) => {
    const told = deferred();
    const stop = store.watch(() => told.resolve());
    await make(await reopen(), 'new');
    await told.promise;
    stop();
  });

  test('a session that was removed is an error at the next write, and is not made again', async (setup) => {
    const session = await make(setup.store, 's');
    await session.write((writer) => writer.append([{ t: 'one' }]));
    await setup.removeSession('s');
    await rejectsWith(
      session.write((writer) => writer.append([{ t: 'two' }])),
      'storeFailed',
    );
    assert.equal(await setup.store.session('s'), null);
    assert.deepEqual(await collect((await setup.reopen()).sessions()), []);
  });

  test('the owner record is plain JSON, and is not dead', async ({ store, deadOwner }) => {
    assert.deepEqual(JSON.parse(JSON.stringify(store.owner)), store.owner);
    assert.equal(await store.isOwnerDead(store.owner), false);
    assert.equal(await store.isOwnerDead(await deadOwner()), true);
  });

  test('an owner record of which nothing can be told is not dead', async ({ store }) => {
    for (const owner of [{}, { pid: 1 }, { pid: 'x', nonce: null }, { nonce: 'of another machine' }]) {
      assert.equal(await store.isOwnerDead(owner), false);
    }
  });

  test('a closed store says so', async ({ store }) => {
    const session = await make(store, 's');
    await store.close();
    await store.close();
    await rejectsWith(store.session('s'), 'closed');
    await rejectsWith(
      session.write(async () => {}),
      'closed',
    );
  });
}
