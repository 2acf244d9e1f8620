import { describe, expect, it } from 'vitest';
import { createFakeHost } from '../testing/fake-client.ts';
import { sampleChange } from '../testing/sample-change.ts';
import { createReviewStore } from './review-store.ts';

async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

function setUp(count: number) {
  const host = createFakeHost(Array.from({ length: count }, (_, index) => sampleChange({ seq: index + 1 })));
  const store = createReviewStore(host.client(), 's1');
  const called = (method: string) => host.calls.filter((call) => call.method === method).length;
  const stateOf = (index: number) => store.get().records.get(host.changes[index]!.id)?.state;
  return { host, store, called, stateOf, idOf: (index: number) => host.changes[index]!.id };
}

describe('the cache of a provider', () => {
  it('asks for nothing before a part wants it', async () => {
    const { host, store } = setUp(3);
    store.connect();
    await turns();
    expect(host.calls.map((call) => call.method)).toEqual(['discover']);
  });

  it('reads every page of the list', async () => {
    const { host, store } = setUp(5);
    store.wantSession();
    await turns();
    expect(store.get().list.value?.items.map((item) => item.id)).toEqual(
      host.changes.map((change) => change.id),
    );
    expect(host.calls.filter((call) => call.method === 'list').map((call) => call.params)).toEqual([
      { sessionId: 's1', limit: 200 },
      { sessionId: 's1', limit: 200, cursor: '2' },
      { sessionId: 's1', limit: 200, cursor: '4' },
    ]);
  });

  it('takes many events while it loads for one more load', async () => {
    const { host, store, called } = setUp(1);
    store.connect();
    store.wantSession();
    await turns();
    host.held.set('list', []);
    for (let event = 0; event < 5; event += 1) host.emit();
    await turns();
    host.release('list');
    await turns();
    expect(called('list')).toBe(3);
  });

  it('leaves events of other sessions alone', async () => {
    const { host, store, called } = setUp(1);
    const client = host.client();
    const other = createReviewStore(client, 's2');
    other.connect();
    other.wantSession();
    store.wantSession();
    await turns();
    const before = called('list');
    host.emit();
    await turns();
    expect(called('list')).toBe(before);
  });

  it('drops an answer from before an action, so that the outcome is never overwritten by it', async () => {
    const { host, store, stateOf, idOf } = setUp(1);
    store.connect();
    store.wantSession();
    await turns();
    host.held.set('list', []);
    host.emit();
    await turns();
    const seen: unknown[] = [];
    store.subscribe(() => seen.push(stateOf(0)));
    await store.run('keep', [idOf(0)]);
    host.release('list');
    await turns();
    expect(stateOf(0)).toBe('kept');
    expect(seen.slice(seen.indexOf('kept'))).not.toContain('active');
  });

  it('fetches all that is wanted again after a lost connection', async () => {
    const { host, store, called, idOf } = setUp(1);
    store.connect();
    store.wantSession();
    store.watchDetail(idOf(0));
    await turns();
    host.setConnection('closed');
    expect(store.get().connection).toBe('closed');
    host.changes[0]!.state = 'kept';
    const before = called('get');
    host.setConnection('open');
    await turns();
    expect(store.get()).toMatchObject({ connection: 'open' });
    expect(store.get().records.get(idOf(0))?.state).toBe('kept');
    expect(called('get')).toBe(before + 1);
  });

  it('knows at once that a client is closed', () => {
    const { host, store } = setUp(1);
    host.setConnection('closed');
    store.connect();
    expect(store.get().connection).toBe('closed');
  });

  it('keeps the last list where a load fails, and says why', async () => {
    const { host, store } = setUp(2);
    store.wantSession();
    await turns();
    host.failing.set('list', 'the store is on fire');
    store.refresh();
    await turns();
    expect(store.get().list).toMatchObject({ status: 'error', error: 'the store is on fire' });
    expect(store.get().list.value?.items).toHaveLength(2);
    host.failing.delete('list');
    store.refresh();
    await turns();
    expect(store.get().list).toMatchObject({ status: 'ready', error: null });
  });

  it('refetches the hunks that are watched and named, and no others', async () => {
    const { host, store, called, idOf } = setUp(3);
    store.connect();
    store.watchDetail(idOf(0));
    store.watchDetail(idOf(1));
    await turns();
    expect(called('get')).toBe(2);
    host.emit([idOf(1)]);
    await turns();
    expect(host.calls.filter((call) => call.method === 'get').at(-1)?.params).toEqual({
      sessionId: 's1',
      snapshotId: idOf(1),
    });
    expect(called('get')).toBe(3);
  });

  it('keeps the hunks of a bounded number of changes that nobody shows', async () => {
    const { store, idOf } = setUp(80);
    for (let index = 0; index < 80; index += 1) store.watchDetail(idOf(index))();
    await turns();
    expect(store.get().details.size).toBe(50);
    expect(store.get().details.has(idOf(79))).toBe(true);
  });
});

describe('actions', () => {
  it('does nothing while one already runs on the same change', async () => {
    const { host, store, called, idOf } = setUp(2);
    host.held.set('keep', []);
    const first = store.run('keep', [idOf(0)]);
    expect(await store.run('rollback', [idOf(0)])).toBeNull();
    host.release('keep');
    await first;
    expect([called('keep'), called('rollback')]).toEqual([1, 0]);
  });

  it('holds the ids of the moment it was pressed, whatever the caller does to its list', async () => {
    const { host, store, idOf } = setUp(2);
    const ids = [idOf(0)];
    const done = store.run('keep', ids);
    ids[0] = idOf(1);
    await done;
    expect(host.calls.find((call) => call.method === 'keep')?.params).toEqual({
      sessionId: 's1',
      snapshotIds: [idOf(0)],
    });
    expect([...store.get().reports.keys()]).toEqual([idOf(0)]);
    expect(store.get().running.size).toBe(0);
  });

  it('reports an answer that never came, and lets the action be tried again', async () => {
    const { host, store, idOf } = setUp(1);
    host.failing.set('rollback', 'connection lost');
    expect(await store.run('rollback', [idOf(0)])).toMatchObject({ outcome: null, error: 'connection lost' });
    host.failing.delete('rollback');
    expect(await store.run('rollback', [idOf(0)])).toMatchObject({
      outcome: { status: 'rolledBack' },
      error: null,
    });
  });
});
