import { describe, expect, it } from 'vitest';
import type { Scene } from './scene.fixture.ts';
import { request, SESSION, scene, stateOf, write } from './scene.fixture.ts';

const undo = (on: Scene, snapshotId: string, requestId?: string) =>
  on.service.rollback({ sessionId: SESSION, snapshotId, ...(requestId === undefined ? {} : { requestId }) });

describe('rollback of one change', () => {
  it('[T2] [T3] [G1] [G6] puts the earlier bytes back, and says it once', async () => {
    const on = scene({ 'a.txt': 'old\n' });
    const id = await write(on, 'a.txt', 'new\n');
    const first = await undo(on, id);
    expect(first).toMatchObject({ status: 'rolledBack', wrote: true, reason: null, path: 'a.txt' });
    expect(first.rollbackId).toMatch(/^[0-9a-f-]{36}$/);
    expect(on.workspace.text('a.txt')).toBe('old\n');
    expect(on.workspace.list()).toEqual(['/workspace/a.txt']);
    const again = await undo(on, id);
    expect(again).toMatchObject({ status: 'alreadyRolledBack', wrote: false });
  });

  it('[G6] removes a created file and the folders that it made', async () => {
    const on = scene({ 'keep.txt': 'k' });
    const id = await write(on, 'made/by/tool.txt', 'x\n');
    expect((await undo(on, id)).status).toBe('rolledBack');
    expect(on.workspace.list()).toEqual(['/workspace/keep.txt']);
    expect(on.workspace.get('made')).toBeNull();
  });

  it('[G6] recreates a deleted file with its mode', async () => {
    const on = scene();
    on.workspace.put('run.sh', '#!/bin/sh\n', { mode: 0o755 });
    const { change } = await on.service.capture(request('run.sh', { operation: 'delete' }), (target) =>
      target.remove(),
    );
    expect(change).toMatchObject({ status: 'deleted', after: null });
    expect((await undo(on, change!.id)).status).toBe('rolledBack');
    expect(on.workspace.get('run.sh')).toMatchObject({ mode: 0o755 });
  });

  it('leaves a later chmod of the user alone', async () => {
    const on = scene({ 'a.txt': 'old\n' });
    const id = await write(on, 'a.txt', 'new\n');
    on.workspace.chmod('a.txt', 0o600);
    expect((await undo(on, id)).status).toBe('rolledBack');
    expect(on.workspace.get('a.txt')!.mode).toBe(0o600);
  });

  it('[C103] a file that was made read-only since is left alone; one that the tool wrote read-only is undone', async () => {
    const on = scene({ 'a.txt': 'old\n', 'b.txt': 'old\n' });
    const later = await write(on, 'a.txt', 'new\n');
    const created = await write(on, 'c.txt', 'new\n');
    for (const path of ['a.txt', 'c.txt']) on.workspace.chmod(path, 0o444);
    for (const id of [later, created]) {
      expect(await undo(on, id)).toMatchObject({ status: 'failed', errno: 'EACCES', wrote: false });
      expect(await stateOf(on, id)).toBe('active');
    }
    on.workspace.chmod('b.txt', 0o444);
    const { change } = await on.service.capture(request('b.txt'), () => on.workspace.put('b.txt', 'new\n'));
    expect((await undo(on, change!.id)).status).toBe('rolledBack');
    expect(on.workspace.get('b.txt')).toMatchObject({ mode: 0o444 });
  });

  it.each([
    ['changedOnDisk', (on: Scene) => on.workspace.put('a.txt', 'user\n')],
    ['deleted', (on: Scene) => on.workspace.remove('a.txt')],
    ['replacedKind', (on: Scene) => on.workspace.putLink('a.txt', 'b.txt')],
    [
      'replacedKind',
      (on: Scene) => {
        on.workspace.remove('a.txt');
        on.workspace.putSpecial('a.txt', 'directory');
      },
    ],
  ])('[G1] answers %s and writes nothing', async (reason, meddle) => {
    const on = scene({ 'a.txt': 'old\n', 'b.txt': 'new\n' });
    const id = await write(on, 'a.txt', 'new\n');
    meddle(on);
    const before = JSON.stringify(on.workspace.list());
    expect(await undo(on, id)).toMatchObject({ status: 'conflict', reason, wrote: false });
    expect(JSON.stringify(on.workspace.list())).toBe(before);
    expect(on.workspace.text('b.txt')).toBe('new\n');
    expect(await stateOf(on, id)).toBe('active');
  });

  it('[G8] A→B, B→C, C→B: only the newest can be taken back, then the one before', async () => {
    const on = scene({ 'a.txt': 'A\n' });
    const first = await write(on, 'a.txt', 'B\n');
    const second = await write(on, 'a.txt', 'C\n');
    const third = await write(on, 'a.txt', 'B\n');
    // The file holds B, which is the first change's after: the digest alone would let it through.
    expect(await undo(on, first)).toMatchObject({
      status: 'conflict',
      reason: 'laterChange',
      laterChange: third,
    });
    expect(on.workspace.text('a.txt')).toBe('B\n');
    expect((await undo(on, third)).status).toBe('rolledBack');
    expect(on.workspace.text('a.txt')).toBe('C\n');
    expect((await undo(on, second)).status).toBe('rolledBack');
    expect((await undo(on, first)).status).toBe('rolledBack');
    expect(on.workspace.text('a.txt')).toBe('A\n');
  });

  it('[G8] A→B→A: the first change is not undone under the second', async () => {
    const on = scene({ 'a.txt': 'A\n' });
    const first = await write(on, 'a.txt', 'B\n');
    const second = await write(on, 'a.txt', 'A\n');
    expect(await undo(on, first)).toMatchObject({
      status: 'conflict',
      reason: 'laterChange',
      laterChange: second,
    });
    expect(on.workspace.text('a.txt')).toBe('A\n');
    expect((await undo(on, second)).status).toBe('rolledBack');
    expect(on.workspace.text('a.txt')).toBe('B\n');
  });

  it('says alreadyAtBefore without a write where the user took it back by hand', async () => {
    const on = scene({ 'a.txt': 'old\n' });
    const id = await write(on, 'a.txt', 'new\n');
    on.workspace.put('a.txt', 'old\n');
    expect(await undo(on, id)).toMatchObject({ status: 'alreadyAtBefore', wrote: false });
    expect(await stateOf(on, id)).toBe('rolledBack');
  });

  it('[G3] [C002] writes and removes nothing where the stored bytes are missing', async () => {
    const on = scene({ 'a.txt': 'old\n' });
    const id = await write(on, 'a.txt', 'new\n');
    const { change } = await on.service.get({ sessionId: SESSION, snapshotId: id });
    on.store.loseBytes(SESSION, change.before!.digest);
    expect(await undo(on, id)).toMatchObject({
      status: 'unavailable',
      reason: 'missingSnapshot',
      wrote: false,
    });
    expect(on.workspace.text('a.txt')).toBe('new\n');
    expect(await stateOf(on, id)).toBe('active');
  });

  it('[T7] [G7] asks the policy again at the undo, and leaves the state as it was', async () => {
    let allowed = true;
    const on = scene({ 'a.txt': 'old\n' }, { authorizeWrite: () => allowed });
    const id = await write(on, 'a.txt', 'new\n');
    allowed = false;
    expect(await undo(on, id)).toMatchObject({ status: 'unavailable', reason: 'denied', wrote: false });
    expect(await stateOf(on, id)).toBe('active');
    allowed = true;
    expect((await undo(on, id)).status).toBe('rolledBack');
  });

  it('[G4] [T9] [D11] another session’s change looks like one that is not there', async () => {
    const on = scene({ 'a.txt': 'old\n' });
    const id = await write(on, 'a.txt', 'new\n');
    await on.service.startRound({ sessionId: 'other', round: { id: 'r', ordinal: 1 } });
    const errors = await Promise.all(
      [id, 'no-such-id', '__proto__', id.toUpperCase(), id.slice(0, 8), '../s'].map((snapshotId) =>
        on.service.rollback({ sessionId: 'other', snapshotId }).catch((error: unknown) => error),
      ),
    );
    for (const error of errors) expect(error).toMatchObject({ code: 'unknownRecord' });
    await expect(on.service.rollback({ sessionId: 'nobody', snapshotId: id })).rejects.toMatchObject({
      code: 'unknownRecord',
    });
    expect(on.workspace.text('a.txt')).toBe('new\n');
  });

  it('[D14] two undos at once: one restores, one reports already', async () => {
    const on = scene({ 'a.txt': 'old\n' });
    const id = await write(on, 'a.txt', 'new\n');
    const other = on.next();
    const outcomes = await Promise.all([undo(on, id), undo(other, id), undo(on, id)]);
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual([
      'alreadyRolledBack',
      'alreadyRolledBack',
      'rolledBack',
    ]);
    expect(on.workspace.text('a.txt')).toBe('old\n');
  });

  it('gives one request id one outcome, also after a restart, and refuses it for other params', async () => {
    const on = scene({ 'a.txt': 'old\n', 'b.txt': 'old\n' });
    const a = await write(on, 'a.txt', 'new\n');
    const b = await write(on, 'b.txt', 'new\n');
    const first = await undo(on, a, 'req-1');
    on.kill();
    const later = on.next();
    expect(await undo(later, a, 'req-1')).toEqual(first);
    await expect(undo(later, b, 'req-1')).rejects.toMatchObject({ code: 'requestReused' });
    expect(later.workspace.text('b.txt')).toBe('new\n');
  });

  it('[G2] [D17] puts a foreign write back that came in the moment of the publish', async () => {
    const on = scene({ 'a.txt': 'old\n' });
    const id = await write(on, 'a.txt', 'new\n');
    const off = on.workspace.onStep('afterRename', () => {
      const displaced = on.workspace.list().find((path) => path.endsWith('~'))!;
      on.workspace.put(displaced, 'user\n', { inPlace: true });
    });
    expect(await undo(on, id)).toMatchObject({ status: 'conflict', reason: 'foreignWrite', wrote: false });
    off();
    expect(on.workspace.text('a.txt')).toBe('user\n');
    expect(on.workspace.list()).toEqual(['/workspace/a.txt']);
    expect(await stateOf(on, id)).toBe('active');
  });

  it('[T8] [D5] a full disk behind the commit point: the file is as it was, and the same call works later', async () => {
    for (const step of ['write', 'midWrite', 'publish', 'beforeLink', 'beforeRename'] as const) {
      const on = scene({ 'a.txt': 'old\n' });
      const id = await write(on, 'a.txt', 'new\n');
      on.workspace.failAt(step, 'ENOSPC');
      expect(await undo(on, id), step).toMatchObject({ status: 'failed', reason: 'io', errno: 'ENOSPC' });
      expect(on.workspace.text('a.txt'), step).toBe('new\n');
      expect(on.workspace.list(), step).toEqual(['/workspace/a.txt']);
      expect((await undo(on, id)).status, step).toBe('rolledBack');
    }
  });

  it('[C064] a journal that can not take the end: uncertain, and recover finds the end', async () => {
    const on = scene({ 'a.txt': 'old\n' });
    const id = await write(on, 'a.txt', 'new\n');
    on.workspace.onStep('settle', () => {
      on.store.failNext('append', 'ENOSPC');
      on.store.failNext('append', 'ENOSPC');
    });
    const outcome = await undo(on, id);
    expect(outcome).toMatchObject({ status: 'uncertain', reason: 'recordNotWritten' });
    expect(on.workspace.text('a.txt')).toBe('old\n');
    const { settled } = await on.service.recover({ sessionId: SESSION });
    expect(settled.map((change) => change.state)).toEqual(['rolledBack']);
    expect(await undo(on, id)).toMatchObject({ status: 'alreadyRolledBack' });
  });

  it('[T4] [D2] killed at any step, the next process finds old or new bytes, a settled state and no litter', async () => {
    const steps = [
      'look',
      'write',
      'midWrite',
      'publish',
      'beforeLink',
      'beforeRename',
      'afterRename',
      'settle',
    ] as const;
    for (const step of steps) {
      const on = scene({ 'a.txt': 'old\n' });
      const id = await write(on, 'a.txt', 'new\n');
      on.workspace.crashAt(step);
      await undo(on, id).catch(() => 'killed');
      const later = on.next();
      await later.service.ready();
      const state = await stateOf(later, id);
      const expected = { active: 'new\n', rolledBack: 'old\n' }[state];
      expect(expected, `${step}: ${state}`).toBeDefined();
      expect(later.workspace.text('a.txt'), step).toBe(expected);
      expect(later.workspace.list(), step).toEqual(['/workspace/a.txt']);
    }
  });
});
