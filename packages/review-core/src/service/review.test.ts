import { describe, expect, it } from 'vitest';
import { createReviewService } from './index.ts';
import type { Scene } from './scene.fixture.ts';
import { request, SESSION, scene, stateOf, write } from './scene.fixture.ts';
import type { ReviewEvent } from './types.ts';

describe('keep and unkeep', () => {
  it('[T6] marks and unmarks without writing a file, and stays undoable', async () => {
    const on = scene({ 'a.txt': 'old\n' });
    const id = await write(on, 'a.txt', 'new\n');
    const ask = { sessionId: SESSION, snapshotIds: [id] };
    expect(await on.service.keep(ask)).toMatchObject({
      status: 'kept',
      wrote: false,
      changes: [{ state: 'kept' }],
    });
    expect(await on.service.keep(ask)).toMatchObject({ status: 'alreadyKept' });
    expect(await on.service.unkeep(ask)).toMatchObject({ status: 'unkept', changes: [{ state: 'active' }] });
    await on.service.keep(ask);
    expect((await on.service.rollback({ sessionId: SESSION, snapshotId: id })).status).toBe('rolledBack');
    expect(await on.service.keep(ask)).toMatchObject({ status: 'alreadyRolledBack' });
  });

  it('marks single runs, refuses runs of another change, and keeps them over a restart', async () => {
    const on = scene({ 'a.txt': '1\n2\n3\n4\n5\n' });
    const id = await write(on, 'a.txt', 'x\n2\n3\n4\ny\n');
    const { hunks } = await on.service.get({ sessionId: SESSION, snapshotId: id });
    const [first, second] = hunks[0]!.runs;
    const ask = { sessionId: SESSION, snapshotIds: [id] };
    expect((await on.service.keep({ ...ask, runs: [first!] })).changes[0]).toMatchObject({
      state: 'active',
      keptRuns: [first],
    });
    expect((await on.service.keep({ ...ask, runs: [first!] })).status).toBe('alreadyKept');
    await expect(on.service.keep({ ...ask, runs: ['0'.repeat(32)] })).rejects.toMatchObject({
      code: 'unknownRecord',
    });
    await on.service.keep({ ...ask, runs: [second!] });
    await on.service.unkeep({ ...ask, runs: [first!] });
    const later = on.next();
    const { change } = await later.service.get({ sessionId: SESSION, snapshotId: id });
    expect(change.keptRuns).toEqual([second]);
  });

  it('marks many at once or, where one is not there, none', async () => {
    const on = scene();
    const ids = [await write(on, 'a', '1'), await write(on, 'b', '1')];
    await expect(
      on.service.keep({ sessionId: SESSION, snapshotIds: [...ids, 'nobody'] }),
    ).rejects.toMatchObject({ code: 'unknownRecord' });
    expect(await Promise.all(ids.map((id) => stateOf(on, id)))).toEqual(['active', 'active']);
    expect((await on.service.keep({ sessionId: SESSION, snapshotIds: ids })).changes).toHaveLength(2);
  });

  it('projects each state onto the log, and waits for an owner that is not there yet', async () => {
    const on = scene();
    const a = await write(on, 'a', '1', { messageId: 'm-a' });
    const b = await write(on, 'b', '1', { messageId: 'm-b' });
    on.log.addOwner('m-a');
    await on.service.keep({ sessionId: SESSION, snapshotIds: [a] });
    await on.service.rollback({ sessionId: SESSION, snapshotId: b });
    expect(on.log.lines).toEqual([{ messageId: 'm-a', snapshotId: a, state: 'kept' }]);
    on.log.addOwner('m-b');
    await on.service.recover({ sessionId: SESSION });
    expect(on.log.lines.at(-1)).toEqual({ messageId: 'm-b', snapshotId: b, state: 'rolledBack' });
    expect(on.log.lines).toHaveLength(2);
  });

  it('a transcript that can not be written undoes nothing, and catches up', async () => {
    const on = scene();
    const id = await write(on, 'a', '1', { messageId: 'm' });
    on.log.addOwner('m');
    on.log.failNext(new Error('disk full'));
    expect((await on.service.keep({ sessionId: SESSION, snapshotIds: [id] })).status).toBe('kept');
    expect(on.warnings).toHaveLength(1);
    await on.service.recover({ sessionId: SESSION });
    expect(on.log.lines).toEqual([{ messageId: 'm', snapshotId: id, state: 'kept' }]);
  });
});

describe('list and rounds', () => {
  it('[U3] lists in the order of record, in pages whose membership is fixed by the first', async () => {
    const on = scene();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push(await write(on, name, '1'));
    const first = await on.service.list({ sessionId: SESSION, limit: 2 });
    await write(on, 'late', '1');
    const pages = [first];
    while (pages.at(-1)!.nextCursor !== null) {
      pages.push(await on.service.list({ sessionId: SESSION, limit: 2, cursor: pages.at(-1)!.nextCursor! }));
    }
    expect(pages.map((page) => page.items.map((item) => item.id))).toEqual([
      [ids[0], ids[1]],
      [ids[2], ids[3]],
      [ids[4]],
    ]);
  });

  it.each(['', 'x', 'AAAA', '////', 'e30', 'WzEsMl0'])('refuses the cursor %j', async (cursor) => {
    const on = scene();
    await write(on, 'a', '1');
    await expect(on.service.list({ sessionId: SESSION, cursor })).rejects.toMatchObject({
      code: 'invalidArgument',
    });
  });

  it('[D10] one damaged record hides no other, and is told', async () => {
    const on = scene();
    const a = await write(on, 'a', '1');
    await write(on, 'b', '1');
    const c = await write(on, 'c', '1');
    // pending, publishing, committed for each: the second pending is the fourth.
    on.store.damage(SESSION, { index: 3 });
    const later = on.next();
    const { items } = await later.service.list({ sessionId: SESSION });
    expect(items.filter((item) => 'state' in item).map((item) => item.id)).toEqual([a, c]);
    expect(items.filter((item) => 'unreadable' in item)).toMatchObject([{ unreadable: 'damaged' }]);
    expect((await later.service.rollback({ sessionId: SESSION, snapshotId: c })).status).toBe('rolledBack');
  });

  it('a session that a newer version wrote to is read and never written', async () => {
    const on = scene({ a: '0' });
    const id = await write(on, 'a', '1');
    on.store.damage(SESSION, { unreadable: 'newer' });
    const later = on.next();
    expect((await later.service.list({ sessionId: SESSION })).items).toHaveLength(2);
    await expect(later.service.keep({ sessionId: SESSION, snapshotIds: [id] })).rejects.toMatchObject({
      code: 'storeReadOnly',
    });
    await later.service.rollback({ sessionId: SESSION, snapshotId: id }).catch(() => 'refused');
    expect(later.workspace.text('a')).toBe('1');
  });

  async function append(on: Scene, event: Record<string, unknown>): Promise<void> {
    const session = await on.store.session(SESSION);
    await session!.write((writer) => writer.append([{ t: 'future', ...event }]));
  }

  it('[C062] an event of an unknown type is passed over; a critical one makes the session read-only', async () => {
    const on = scene({ a: '0' });
    const id = await write(on, 'a', '1');
    await append(on, { t: 'future', ids: [id] });
    expect((await on.service.keep({ sessionId: SESSION, snapshotIds: [id] })).status).toBe('kept');
    await append(on, { t: 'future', critical: true });
    await expect(on.service.unkeep({ sessionId: SESSION, snapshotIds: [id] })).rejects.toMatchObject({
      code: 'storeReadOnly',
    });
    expect(await stateOf(on, id)).toBe('kept');
  });

  it('lists a record of a newer version in its place, and acts on none', async () => {
    const on = scene();
    const a = await write(on, 'a', '1');
    await append(on, { t: 'pending', id: 'n', seq: 2, record: { version: 9, shape: 'unknown' } });
    const b = await write(on, 'b', '1');
    const { items } = await on.service.list({ sessionId: SESSION });
    expect(items.map((item) => ('unreadable' in item ? item.unreadable : item.id))).toEqual([a, 'newer', b]);
    await expect(on.service.rollback({ sessionId: SESSION, snapshotId: 'n' })).rejects.toMatchObject({
      code: 'unknownRecord',
    });
  });

  it('[P4] [U4] sums counts by file and round, and one unknown makes the sum unknown', async () => {
    const on = scene({ bin: new Uint8Array([0, 1, 2]) });
    await write(on, 'a', '1\n2\n', { round: { id: 'r1', ordinal: 1 } });
    await write(on, 'a', '1\n2\n3\n', { round: { id: 'r1', ordinal: 1 } });
    await on.service.capture(request('bin', { round: { id: 'r2', ordinal: 2 } }), (target) =>
      target.write(new Uint8Array([0, 9])),
    );
    const { rounds, latest } = await on.service.rounds({ sessionId: SESSION });
    expect(latest).toBe('r2');
    expect(rounds).toMatchObject([
      { id: 'r1', changes: 2, reviewed: 0, additions: 3, deletions: 0, files: [{ path: 'a', additions: 3 }] },
      { id: 'r2', changes: 1, additions: null, deletions: null },
    ]);
  });

  it('[R5] derives fewer lines of context, and says where none were recorded', async () => {
    const on = scene({ a: '1\n2\n3\n4\n5\n6\n7\n8\n9\n', b: new Uint8Array([0]) });
    const a = await write(on, 'a', '1\n2\n3\n4\nX\n6\n7\n8\n9\n');
    const b = await write(on, 'b', 'text');
    const one = await on.service.context({ sessionId: SESSION, snapshotId: a, lines: 1 });
    expect(one).toMatchObject({ hunks: [{ header: '@@ -4,3 +4,3 @@', lines: [' 4', '-5', '+X', ' 6'] }] });
    expect(await on.service.context({ sessionId: SESSION, snapshotId: b, lines: 3 })).toHaveProperty(
      'unavailable',
    );
  });

  it('answers an empty list for a session that is not there, and makes none', async () => {
    const on = scene();
    expect(await on.service.list({ sessionId: 'nobody' })).toEqual({
      items: [],
      nextCursor: null,
      gaps: { total: 0, items: [] },
    });
    expect(await on.service.sessions()).toEqual([]);
  });
});

describe('subscribe', () => {
  it('[U10] tells changes of this and of other processes, also of a session that is made later', async () => {
    const on = scene();
    await on.service.list({ sessionId: SESSION });
    const events: ReviewEvent[] = [];
    // A store tells later, as a file watcher does: what is awaited is the event itself.
    const made = new Promise<string>((resolve) => {
      on.service.subscribe((event) => resolve(event.sessionId));
    });
    const off = on.service.subscribe((event) => events.push(event));
    const other = on.next();
    const id = await write(other, 'a', '1');
    expect(await made).toBe(SESSION);
    await on.service.list({ sessionId: SESSION });
    events.length = 0;
    await other.service.keep({ sessionId: SESSION, snapshotIds: [id] });
    await on.service.list({ sessionId: SESSION });
    expect(events.flatMap((event) => event.snapshotIds)).toEqual([id]);
    off();
    events.length = 0;
    await write(on, 'b', '1');
    expect(events).toEqual([]);
  });

  it('a listener that throws does not reach the verb', async () => {
    const on = scene();
    on.service.subscribe(() => {
      throw new Error('listener');
    });
    expect(await write(on, 'a', '1')).toMatch(/^[0-9a-f-]{36}$/);
    expect(on.warnings).not.toEqual([]);
  });

  it('after close every verb says so', async () => {
    const on = scene();
    await on.service.close();
    await expect(on.service.list({ sessionId: SESSION })).rejects.toMatchObject({ code: 'closed' });
  });
});

describe('placement', () => {
  it.each([
    ['/workspace/.store', true],
    ['/', true],
    ['/workspace', true],
    ['/workspace-store', false],
  ])('[C12] a store at %s is refused: %s', async (directory, refused) => {
    const { store, workspace } = scene();
    Object.defineProperty(store, 'directory', { value: directory });
    const service = createReviewService({ store, workspace });
    const answer = service.list({ sessionId: SESSION }).then(
      () => 'ok',
      (error: { code: string }) => error.code,
    );
    expect(await answer).toBe(refused ? 'storePlacement' : 'ok');
  });
});
