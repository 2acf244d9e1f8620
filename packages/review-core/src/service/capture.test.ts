import { describe, expect, it } from 'vitest';
import { ReviewError } from '../errors.ts';
import { request, SESSION, scene, stateOf, write } from './scene.fixture.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const codeOf = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error: unknown) => (ReviewError.isInstance(error) ? error.code : `foreign: ${String(error)}`),
  );

describe('capture', () => {
  it('[C2] [C8] records a write with its bytes, counts and hunks', async () => {
    const on = scene({ 'a.txt': 'one\ntwo\n' });
    const { change, result } = await on.service.capture(
      request('a.txt', { operation: 'edit' }),
      async (target) => {
        expect(target.before()).toEqual(bytes('one\ntwo\n'));
        await target.write('one\n2\n');
        return 42;
      },
    );
    expect(result).toBe(42);
    expect(change).toMatchObject({
      seq: 1,
      status: 'modified',
      state: 'active',
      additions: 1,
      deletions: 1,
      evidence: 'text',
      facets: ['content'],
      afterSource: 'written',
      reversible: true,
      irreversibleReason: null,
    });
    const { hunks } = await on.service.get({ sessionId: SESSION, snapshotId: change!.id });
    expect(hunks.map((hunk) => hunk.lines)).toEqual([[' one', '-two', '+2']]);
    expect(hunks[0]!.runs).toHaveLength(1);
    expect(on.workspace.text('a.txt')).toBe('one\n2\n');
  });

  it('[C007] decides added or modified by what stood there, not by the name of the tool', async () => {
    const on = scene({ 'a.txt': 'old\n' });
    const over = await on.service.capture(request('a.txt', { operation: 'create' }), (target) =>
      target.write('new\n'),
    );
    const fresh = await on.service.capture(request('b/c.txt', { operation: 'edit' }), (target) =>
      target.write('x'),
    );
    expect([over.change!.status, fresh.change!.status]).toEqual(['modified', 'added']);
    expect(fresh.change!.before).toBeNull();
  });

  it('reads the after back where the tool writes by itself', async () => {
    const on = scene({ 'a.txt': '1\n' });
    const { change } = await on.service.capture(request('a.txt'), () => on.workspace.put('a.txt', '2\n'));
    expect(change).toMatchObject({ afterSource: 'observed', state: 'active', additions: 1, deletions: 1 });
  });

  it('[C005] takes the after from the bytes handed over, so a save in that moment is not swallowed', async () => {
    const on = scene({ 'a.txt': 'v=1\n' });
    const { change } = await on.service.capture(request('a.txt'), async (target) => {
      await target.write('v=2\n');
      on.workspace.put('a.txt', 'v=2\nuser line\n');
    });
    const outcome = await on.service.rollback({ sessionId: SESSION, snapshotId: change!.id });
    expect(outcome).toMatchObject({ status: 'conflict', reason: 'changedOnDisk', wrote: false });
    expect(on.workspace.text('a.txt')).toBe('v=2\nuser line\n');
  });

  it('[C9] drops a failed call that changed nothing, and throws its own error', async () => {
    const on = scene({ 'a.txt': '1\n' });
    const failure = new Error('no such text');
    await expect(
      on.service.capture(request('a.txt'), () => {
        throw failure;
      }),
    ).rejects.toBe(failure);
    expect((await on.service.list({ sessionId: SESSION })).items).toEqual([]);
    expect(on.workspace.text('a.txt')).toBe('1\n');
  });

  it('[C9] records a failed call that changed the file as failed, and can take it back', async () => {
    const on = scene({ 'a.txt': '1\n' });
    await expect(
      on.service.capture(request('a.txt'), async (target) => {
        await target.write('half\n');
        throw new Error('tool broke');
      }),
    ).rejects.toThrow('tool broke');
    const [item] = (await on.service.list({ sessionId: SESSION })).items;
    expect(item).toMatchObject({ failed: true, state: 'active', reversible: true });
    const outcome = await on.service.rollback({
      sessionId: SESSION,
      snapshotId: (item as { id: string }).id,
    });
    expect(outcome.status).toBe('rolledBack');
    expect(on.workspace.text('a.txt')).toBe('1\n');
  });

  it('answers no change for a write of the same bytes', async () => {
    const on = scene({ 'a.txt': 'same\n' });
    const { change } = await on.service.capture(request('a.txt'), (target) => target.write('same\n'));
    expect(change).toBeNull();
    expect((await on.service.list({ sessionId: SESSION })).items).toEqual([]);
  });

  it('[C11] leaves of a sensitive path a gap only: no bytes, no digest, no counts', async () => {
    const on = scene({ 'app/.env': 'TOKEN=hunter2\n' });
    const { change } = await on.service.capture(request('app/.env'), (target) =>
      target.write('TOKEN=hunter3\n'),
    );
    expect(change).toBeNull();
    expect(on.workspace.text('app/.env')).toBe('TOKEN=hunter3\n');
    const { items, gaps } = await on.service.list({ sessionId: SESSION });
    expect(items).toEqual([]);
    expect(gaps).toMatchObject({
      total: 1,
      items: [{ path: 'app/.env', reason: 'sensitive', operation: 'write' }],
    });
    const session = await on.store.session(SESSION);
    const journal: unknown[] = [];
    for await (const event of session!.read()) journal.push(event);
    expect(JSON.stringify(journal)).not.toMatch(/hunter|[0-9a-f]{64}/);
  });

  it('[C044] takes a path for sensitive where the host can not say', async () => {
    const sensitive = (): boolean => {
      throw new Error('ignore lookup failed');
    };
    const on = scene({ 'a.txt': '1' }, { sensitive });
    const { change } = await on.service.capture(request('a.txt'), (target) => target.write('2'));
    expect(change).toBeNull();
    expect((await on.service.list({ sessionId: SESSION })).gaps.items[0]).toMatchObject({
      reason: 'sensitive',
    });
  });

  it('[C11] records nothing of a write that the policy denies, and does not run the tool', async () => {
    const on = scene({ 'a.txt': '1' }, { authorizeWrite: () => false });
    let ran = false;
    const code = await codeOf(
      on.service.capture(request('a.txt'), () => {
        ran = true;
      }),
    );
    expect([code, ran]).toEqual(['notAllowed', false]);
    expect(on.workspace.text('a.txt')).toBe('1');
  });

  it.each([
    ['../up.txt', 'pathRefused'],
    ['a/../../up.txt', 'pathRefused'],
    ['', 'invalidArgument'],
    ['.', 'pathRefused'],
    ['/elsewhere/x', 'pathRefused'],
  ])('[C10] [C13] blocks %j before the tool runs', async (path, expected) => {
    const on = scene();
    let ran = false;
    const code = await codeOf(
      on.service.capture(request(path), () => {
        ran = true;
      }),
    );
    expect([code, ran]).toEqual([expected, false]);
  });

  it('[C10] lets the tool run where the policy says skip, and leaves a gap', async () => {
    const on = scene({ 'a.txt': '1' }, { onCaptureFailure: 'skip' });
    on.workspace.putSpecial('pipe', 'fifo');
    const { change, result } = await on.service.capture(request('pipe'), () => 'ran');
    expect([change, result]).toEqual([null, 'ran']);
    const { gaps } = await on.service.list({ sessionId: SESSION });
    expect(gaps.items).toMatchObject([{ path: 'pipe', reason: 'unsupportedKind' }]);
  });

  it('[D5] a full disk in the write leaves the old bytes, no litter, and the call works afterwards', async () => {
    const on = scene({ 'a.txt': 'old\n' });
    on.workspace.failAt('midWrite', 'ENOSPC');
    await expect(
      on.service.capture(request('a.txt'), (target) => target.write('new\n')),
    ).rejects.toMatchObject({ code: 'fileFailed', errno: 'ENOSPC' });
    expect(on.workspace.text('a.txt')).toBe('old\n');
    expect(on.workspace.list()).toEqual(['/workspace/a.txt']);
    const id = await write(on, 'a.txt', 'new\n');
    expect(await stateOf(on, id)).toBe('active');
  });

  it('[C1] [D5] a store that can not take the before blocks the tool', async () => {
    const on = scene({ 'a.txt': 'old\n' });
    await on.service.startRound({ sessionId: SESSION, round: { id: 'r1', ordinal: 1 } });
    on.store.failNext('append', 'ENOSPC');
    let ran = false;
    const code = await codeOf(
      on.service.capture(request('a.txt'), () => {
        ran = true;
      }),
    );
    expect([code, ran]).toEqual(['storeFailed', false]);
    expect(await stateOf(on, await write(on, 'a.txt', 'new\n'))).toBe('active');
  });

  it('[C4] [R2] [T5] keeps an external file as evidence that is never written back', async () => {
    const on = scene();
    on.workspace.put('/external/notes.md', 'a\n');
    const { change } = await on.service.capture(request('/external/notes.md'), (target) =>
      target.write('b\n'),
    );
    expect(change).toMatchObject({
      scope: 'external',
      root: '/external',
      path: 'notes.md',
      reversible: false,
      irreversibleReason: 'outsideWorkspace',
    });
    const outcome = await on.service.rollback({ sessionId: SESSION, snapshotId: change!.id });
    expect(outcome).toMatchObject({ status: 'unavailable', reason: 'outsideWorkspace' });
    expect(on.workspace.text('/external/notes.md')).toBe('b\n');
  });

  it('[C14] [C16] keeps a file over the snapshot limit as a digest, and says so', async () => {
    const on = scene({ 'big.bin': 'x'.repeat(100) }, { limits: { maxSnapshotBytes: 64 } });
    const { change } = await on.service.capture(request('big.bin'), () =>
      on.workspace.put('big.bin', 'y'.repeat(90)),
    );
    expect(change).toMatchObject({
      evidence: 'tooLarge',
      additions: null,
      deletions: null,
      reversible: false,
      irreversibleReason: 'tooLarge',
    });
  });

  it('serves a second write of one call over the first, and one that somebody overtook not at all', async () => {
    const on = scene({ 'a.txt': '0' });
    const { change } = await on.service.capture(request('a.txt'), async (target) => {
      await target.write('1');
      await target.write('2');
    });
    expect(change!.after!.size).toBe(1);
    const code = await codeOf(
      on.service.capture(request('a.txt'), async (target) => {
        await target.write('3');
        on.workspace.put('a.txt', 'user');
        await target.write('4');
      }),
    );
    expect(code).toBe('changedSinceRead');
    expect(on.workspace.text('a.txt')).toBe('user');
  });

  it('a target that outlives its call writes nothing', async () => {
    const on = scene({ 'a.txt': '0' });
    let late: (() => Promise<void>) | undefined;
    await on.service.capture(request('a.txt'), (target) => {
      late = () => target.write('late');
    });
    await expect(late!()).rejects.toMatchObject({ code: 'closed' });
    expect(on.workspace.text('a.txt')).toBe('0');
  });

  it('gives a change the round of its call, of its root call, or the current one', async () => {
    const on = scene();
    const own = await write(on, '1', 'x', { callId: 'root', round: { id: 'r7', ordinal: 7 } });
    await on.service.startRound({ sessionId: SESSION, round: { id: 'r8', ordinal: 8 } });
    const late = await write(on, '2', 'x', { rootCallId: 'root' });
    const current = await write(on, '3', 'x');
    const rounds = await Promise.all(
      [own, late, current].map(
        async (snapshotId) => (await on.service.get({ sessionId: SESSION, snapshotId })).change.round.id,
      ),
    );
    expect(rounds).toEqual(['r7', 'r7', 'r8']);
    expect((await on.service.rounds({ sessionId: SESSION })).latest).toBe('r8');
  });
});
