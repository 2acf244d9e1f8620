import { describe, expect, it } from 'vitest';
import { digest } from '../digest.ts';
import type { FileIntent, LockedFile, Staged } from '../ports/workspace.ts';
import type { MemoryStep, MemoryWorkspace } from './index.ts';
import { createMemoryWorkspace, MEMORY_STEPS, ProcessKilled, workspaceContract } from './index.ts';

workspaceContract({
  describe,
  it,
  steps: true,
  async setup() {
    const workspace = createMemoryWorkspace();
    const relative = (path: string) => path.slice(workspace.root.length + 1);
    return {
      workspace,
      peer: async () => workspace.peer(),
      put: async (path, bytes, mode = 0o644) => workspace.put(path, bytes, { mode }),
      overwrite: async (path, bytes) => workspace.put(path, bytes, { inPlace: true }),
      putLink: async (path, target) => workspace.putLink(path, target),
      putDirectory: async (path) => workspace.putSpecial(path, 'directory'),
      hardLink: async (path, to) => workspace.hardLink(path, to),
      get: async (path) => workspace.get(path) as never,
      remove: async (path) => workspace.remove(path),
      list: async () => workspace.list().map(relative),
      onStep(step, fn) {
        const off = workspace.onStep(step, async () => {
          off();
          await fn();
        });
      },
      cleanup: async () => {},
    };
  },
});

async function lock(workspace: MemoryWorkspace, path: string): Promise<LockedFile> {
  return ((await workspace.lock([path])) as LockedFile[])[0]!;
}

async function write(workspace: MemoryWorkspace, path: string, text: string | null): Promise<FileIntent> {
  const bytes = new TextEncoder().encode(text ?? '');
  const file = await lock(workspace, path);
  const staged: Staged = await file.stage(
    text === null ? { at: 'absent' } : { at: 'file', bytes, digest: await digest(bytes), mode: null },
  );
  intents.set(workspace, staged.intent);
  await staged.write();
  await staged.publish();
  await staged.settle();
  await file.release();
  return staged.intent;
}

/** The intent of the last write of a workspace, also where the write was killed. */
const intents = new WeakMap<MemoryWorkspace, FileIntent>();

const CASES: { path: string; text: string | null; steps: MemoryStep[] }[] = [
  {
    path: 'a',
    text: 'new',
    steps: [
      'makeDirs',
      'write',
      'midWrite',
      'publish',
      'beforeLink',
      'beforeRename',
      'afterRename',
      'settle',
    ],
  },
  {
    path: 'd/e/b',
    text: 'new',
    steps: ['makeDirs', 'write', 'midWrite', 'publish', 'beforeLink', 'afterRename', 'settle'],
  },
  { path: 'a', text: null, steps: ['publish', 'beforeLink', 'afterRename', 'settle'] },
];

describe('memory workspace', () => {
  for (const { path, text, steps } of CASES) {
    for (const step of steps) {
      it(`[D2] killed at ${step} of ${path} → ${text}: old or new, and no litter after recovery`, async () => {
        const workspace = createMemoryWorkspace({ files: { a: 'old', other: '' } });
        const before = workspace.text(path);
        workspace.crashAt(step);
        await expect(write(workspace, path, text)).rejects.toBeInstanceOf(ProcessKilled);
        const peer = workspace.peer();
        const settlement = await peer.settle(intents.get(workspace)!);
        const end = 'result' in settlement && settlement.result;
        const published = step === 'afterRename' || step === 'settle';
        expect(end).toBe(published ? 'done' : 'prior');
        expect(peer.text(path)).toBe(published ? text : before);
        const litter = peer
          .list()
          .filter((each) => !['a', 'other', path].includes(each.slice('/workspace/'.length)));
        expect(litter).toEqual([]);
        if (!published) expect(peer.get('d')).toBeNull();
        await expect(workspace.read(path)).rejects.toBeInstanceOf(ProcessKilled);
      });
    }
  }

  it('every step can be reached', async () => {
    const reached = new Set<MemoryStep>();
    const workspace = createMemoryWorkspace({ files: { a: 'old' } });
    for (const step of MEMORY_STEPS) workspace.onStep(step, () => void reached.add(step));
    await write(workspace, 'a', 'new');
    const file = await lock(workspace, 'a');
    await (await file.stage({ at: 'absent' })).abort();
    expect([...reached].sort()).toEqual([...MEMORY_STEPS].sort());
  });

  it('[D5] a call fails once, and the file is what it was', async () => {
    for (const step of ['write', 'midWrite', 'publish', 'beforeRename'] as const) {
      const workspace = createMemoryWorkspace({ files: { a: 'old' } });
      workspace.failAt(step, 'ENOSPC');
      await expect(write(workspace, 'a', 'new')).rejects.toMatchObject({
        code: 'fileFailed',
        errno: 'ENOSPC',
      });
      expect(workspace.text('a')).toBe('old');
    }
  });

  it('knows unsupported kinds, scopes of roots, and holders', async () => {
    const workspace = createMemoryWorkspace({ scratchRoots: ['/scratch'], externalRoots: ['/out'] });
    for (const kind of ['fifo', 'socket', 'device', 'directory'] as const) {
      workspace.putSpecial(kind, kind);
      expect(await workspace.read(kind)).toMatchObject({ at: 'unsupported', what: kind });
    }
    expect(await workspace.locate('/scratch/x')).toMatchObject({
      root: '/scratch',
      scope: 'scratch',
      path: 'x',
    });
    expect(await workspace.locate('/out/x')).toMatchObject({ scope: 'external' });
    const release = workspace.hold('a');
    expect(await workspace.lock(['a'])).toMatchObject({
      busy: true,
      what: 'path',
      holder: { app: 'holder' },
    });
    release();
    expect(await workspace.lock(['a'])).toHaveLength(1);
  });
});
