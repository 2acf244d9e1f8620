import { describe, expect, it } from 'vitest';
import { ReviewError } from '../errors.ts';
import { request, SESSION, scene } from './scene.fixture.ts';

const codeOf = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error: unknown) => (ReviewError.isInstance(error) ? error.code : `foreign: ${String(error)}`),
  );

describe('capture beside a foreign program', () => {
  it('[D17] refuses its own write where the file is not what was read, and changes nothing', async () => {
    const on = scene({ 'a.txt': 'read\n' });
    const code = await codeOf(
      on.service.capture(request('a.txt'), async (target) => {
        on.workspace.put('a.txt', 'user\n');
        await target.write('agent\n');
      }),
    );
    expect(code).toBe('changedSinceRead');
    expect(on.workspace.text('a.txt')).toBe('user\n');
    // The user's bytes are nobody's after: no record of them can be undone.
    expect((await on.service.list({ sessionId: SESSION })).items).toEqual([]);
  });

  it('[D17] says of a tool that went on after a refused write that nobody knows whose bytes stand there', async () => {
    const on = scene({ 'a.txt': 'read\n' });
    const { change } = await on.service.capture(request('a.txt'), async (target) => {
      on.workspace.put('a.txt', 'user\n');
      await target.write('agent\n').catch(() => 'went on');
    });
    expect(change).toMatchObject({ state: 'interrupted', reversible: false });
    const outcome = await on.service.rollback({ sessionId: SESSION, snapshotId: change!.id });
    expect(outcome).toMatchObject({ status: 'unavailable', reason: 'interrupted' });
    expect(on.workspace.text('a.txt')).toBe('user\n');
  });

  it('[D17] a foreign write after the publish, into what was displaced, gets its name back', async () => {
    const on = scene({ 'a.txt': 'read\n' });
    on.workspace.onStep('settle', () => {
      const displaced = on.workspace.list().find((path) => path.endsWith('~'))!;
      on.workspace.put(displaced, 'late\n', { inPlace: true });
    });
    await on.service.capture(request('a.txt'), (target) => target.write('agent\n')).catch(() => 'told');
    expect(on.workspace.text('a.txt')).toBe('late\n');
    expect(on.workspace.list()).toEqual(['/workspace/a.txt']);
    const { items } = await on.service.list({ sessionId: SESSION });
    expect(items).toMatchObject([{ state: 'interrupted', reversible: false }]);
  });

  it('[C10] a store that can not take the after: the pending stays, and recovery commits the change', async () => {
    const on = scene({ 'a.txt': 'old\n' }, { onCaptureFailure: 'warn' });
    const { change, result } = await on.service.capture(request('a.txt'), async (target) => {
      await target.write('new\n');
      on.store.failNext('append', 'ENOSPC');
      return 'ran';
    });
    expect([change, result]).toEqual([null, 'ran']);
    const { settled } = await on.service.recover({ sessionId: SESSION });
    expect(settled).toMatchObject([{ state: 'active', reversible: true, additions: 1 }]);
  });

  it('waits for a write that the tool forgot to await', async () => {
    const on = scene({ 'a.txt': 'old\n' });
    const { change } = await on.service.capture(request('a.txt'), (target) => {
      void target.write('new\n');
    });
    expect([on.workspace.text('a.txt'), change?.afterSource]).toEqual(['new\n', 'written']);
  });

  it('[D17] puts back what a foreign program wrote between the last look and the publish', async () => {
    const on = scene({ 'a.txt': 'read\n' });
    on.workspace.onStep('afterRename', () => {
      // In place, into the inode that was just displaced, as a program does that still has the file open.
      const displaced = on.workspace.list().find((path) => path.includes('.bks-') || path.endsWith('~'));
      if (displaced !== undefined) on.workspace.put(displaced, 'user\n', { inPlace: true });
    });
    const code = await codeOf(on.service.capture(request('a.txt'), (target) => target.write('agent\n')));
    expect(code).toBe('changedSinceRead');
    expect(on.workspace.text('a.txt')).toBe('user\n');
    expect(on.workspace.list()).toEqual(['/workspace/a.txt']);
  });
});
