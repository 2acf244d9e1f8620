import { describe, expect, it } from 'vitest';
import { request, SESSION, scene, stateOf, write } from './scene.fixture.ts';

describe('begin and finish', () => {
  it('finds the capture again in another process, with a third opening the store in between', async () => {
    const first = scene({ 'a.txt': 'old\n' });
    const asked = request('a.txt', { callId: 'hook' });
    const { snapshotIds } = await first.service.begin({ ...asked, owner: 'detached' });
    first.kill();
    const third = first.next();
    await third.service.ready();
    expect(await stateOf(third, snapshotIds[0]!)).toBe('pending');
    third.workspace.put('a.txt', 'new\n');
    const second = third.next();
    const result = await second.service.finish({ sessionId: SESSION, callId: 'hook' });
    expect(result).toMatchObject({
      changes: [{ id: snapshotIds[0], state: 'active', additions: 1 }],
      discarded: [],
    });
    const outcome = await second.service.rollback({ sessionId: SESSION, snapshotId: snapshotIds[0]! });
    expect(outcome.status).toBe('rolledBack');
    expect(second.workspace.text('a.txt')).toBe('old\n');
  });

  it('a second finish answers what the first did', async () => {
    const on = scene({ 'a.txt': '1' });
    await on.service.begin(request('a.txt', { callId: 'c' }));
    on.workspace.put('a.txt', '2');
    const first = await on.service.finish({ sessionId: SESSION, callId: 'c' });
    on.workspace.put('a.txt', '3');
    expect(await on.service.finish({ sessionId: SESSION, callId: 'c' })).toEqual(first);
  });

  it('discards a call that changed nothing', async () => {
    const on = scene({ 'a.txt': '1' });
    const { snapshotIds } = await on.service.begin(request('a.txt', { callId: 'c' }));
    expect(await on.service.finish({ sessionId: SESSION, callId: 'c' })).toEqual({
      changes: [],
      discarded: snapshotIds,
    });
    expect((await on.service.list({ sessionId: SESSION })).items).toEqual([]);
  });

  it('a begin that comes twice for one call answers the same capture', async () => {
    const on = scene({ 'a.txt': '1' });
    const asked = request('a.txt', { callId: 'c' });
    expect(await on.service.begin(asked)).toEqual(await on.service.begin(asked));
  });

  it('a late finish, after recovery took the process for dead, still makes the change', async () => {
    const on = scene({ 'a.txt': 'old\n' });
    const { snapshotIds } = await on.service.begin(request('a.txt', { callId: 'c' }));
    on.kill();
    const later = on.next();
    await later.service.ready();
    expect(await stateOf(later, snapshotIds[0]!)).toBe('aborted');
    later.workspace.put('a.txt', 'new\n');
    const { changes } = await later.service.finish({ sessionId: SESSION, callId: 'c' });
    expect(changes).toMatchObject([{ state: 'active', reversible: true, additions: 1, deletions: 1 }]);
  });

  it('says of a changed file whose process died that nobody knows whose bytes they are', async () => {
    const on = scene({ 'a.txt': 'old\n' });
    const { snapshotIds } = await on.service.begin(request('a.txt', { callId: 'c' }));
    on.workspace.put('a.txt', 'somebody\n');
    on.kill();
    const later = on.next();
    const { change } = await later.service.get({ sessionId: SESSION, snapshotId: snapshotIds[0]! });
    expect(change).toMatchObject({
      state: 'interrupted',
      reversible: false,
      irreversibleReason: 'interrupted',
    });
    const outcome = await later.service.rollback({ sessionId: SESSION, snapshotId: change.id });
    expect(outcome).toMatchObject({ status: 'unavailable', reason: 'interrupted' });
    expect(later.workspace.text('a.txt')).toBe('somebody\n');
  });

  it('joins calls whose spans cross on one path, and undoes none of them alone', async () => {
    const on = scene({ 'a.txt': '0\n' });
    const a = (await on.service.begin(request('a.txt', { callId: 'a' }))).snapshotIds[0]!;
    const b = (await on.service.begin(request('a.txt', { callId: 'b' }))).snapshotIds[0]!;
    on.workspace.put('a.txt', '1\n');
    await on.service.finish({ sessionId: SESSION, callId: 'a' });
    on.workspace.put('a.txt', '2\n');
    await on.service.finish({ sessionId: SESSION, callId: 'b' });
    const changes = await Promise.all(
      [a, b].map(async (snapshotId) => (await on.service.get({ sessionId: SESSION, snapshotId })).change),
    );
    expect(changes.map((change) => [change.groupId, change.reversible, change.irreversibleReason])).toEqual([
      [a, false, 'overlap'],
      [a, false, 'overlap'],
    ]);
    const outcome = await on.service.rollback({ sessionId: SESSION, snapshotId: b });
    expect(outcome).toMatchObject({ status: 'unavailable', reason: 'overlap' });
    expect(on.workspace.text('a.txt')).toBe('2\n');
  });

  it('answers busy for an undo of a path that a call has open, until it is abandoned', async () => {
    const on = scene({ 'a.txt': 'old\n' });
    const id = await write(on, 'a.txt', 'new\n');
    const { snapshotIds } = await on.service.begin({
      ...request('a.txt', { callId: 'open' }),
      owner: 'detached',
    });
    const ask = () => on.service.rollback({ sessionId: SESSION, snapshotId: id });
    expect(await ask()).toMatchObject({ status: 'busy', reason: 'openCall', wrote: false });
    expect(await on.service.abandon({ sessionId: SESSION })).toEqual({ changes: [], discarded: snapshotIds });
    expect((await ask()).status).toBe('rolledBack');
  });

  it('an undo does not wait for ever for a call whose process was killed meanwhile', async () => {
    const on = scene({ 'a.txt': 'old\n' });
    const id = await write(on, 'a.txt', 'new\n');
    const other = on.next();
    await other.service.begin(request('a.txt', { callId: 'c' }));
    const ask = () => on.service.rollback({ sessionId: SESSION, snapshotId: id });
    expect(await ask()).toMatchObject({ status: 'busy', reason: 'openCall' });
    other.kill();
    expect((await ask()).status).toBe('rolledBack');
  });

  it('[D5] a begin that could not be synced leaves nothing open', async () => {
    const on = scene({ 'a.txt': 'old\n' });
    const id = await write(on, 'a.txt', 'new\n');
    on.store.failNext('sync', 'EIO');
    await expect(
      on.service.begin({ ...request('a.txt', { callId: 'c' }), owner: 'detached' }),
    ).rejects.toMatchObject({
      code: 'storeFailed',
    });
    expect((await on.service.list({ sessionId: SESSION })).items.map((item) => item.id)).toEqual([id]);
    expect((await on.service.rollback({ sessionId: SESSION, snapshotId: id })).status).toBe('rolledBack');
  });

  it('recover closes detached captures that began before the given time, and no other', async () => {
    const on = scene({ 'a.txt': '1' });
    await on.service.begin({ ...request('a.txt', { callId: 'c' }), owner: 'detached' });
    expect((await on.service.recover({ detachedBefore: '2020-01-01T00:00:00Z' })).settled).toEqual([]);
    const { settled } = await on.service.recover({ detachedBefore: '2999-01-01T00:00:00Z' });
    expect(settled.map((change) => change.state)).toEqual(['aborted']);
  });

  it('refuses to finish a call that nobody began', async () => {
    const on = scene();
    await expect(on.service.finish({ sessionId: SESSION, callId: 'x' })).rejects.toMatchObject({
      code: 'unknownCall',
    });
  });

  it('[D2] a capture killed at any step of its own write: old or new bytes, a settled state, no litter', async () => {
    const steps = [
      'write',
      'midWrite',
      'publish',
      'beforeLink',
      'beforeRename',
      'afterRename',
      'settle',
      'look',
    ] as const;
    for (const step of steps) {
      const on = scene({ 'a.txt': 'old\n' });
      const dead = on.service.capture(request('a.txt'), async (target) => {
        on.workspace.crashAt(step);
        await target.write('new\n');
      });
      await dead.catch(() => 'killed');
      on.kill();
      const later = on.next();
      const { items } = await later.service.list({ sessionId: SESSION });
      const text = later.workspace.text('a.txt');
      expect(['old\n', 'new\n'], step).toContain(text);
      expect(
        items.map((item) => 'state' in item && item.state),
        step,
      ).toEqual(text === 'new\n' ? ['active'] : []);
      expect(later.workspace.list(), step).toEqual(['/workspace/a.txt']);
      if (text === 'new\n') {
        const { id } = items[0] as { id: string };
        expect((await later.service.rollback({ sessionId: SESSION, snapshotId: id })).status, step).toBe(
          'rolledBack',
        );
        expect(later.workspace.text('a.txt'), step).toBe('old\n');
      }
    }
  });
});
