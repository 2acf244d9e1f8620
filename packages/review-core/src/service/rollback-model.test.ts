import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { request, SESSION, scene } from './scene.fixture.ts';

describe('rollback against a model', () => {
  it('[D1] random programs of edits, undos and foreign writes never lose a byte that no record accounts for', async () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('edit' as const),
        path: fc.constantFrom('a', 'b'),
        text: fc.constantFrom('1', '2', '3'),
      }),
      fc.record({ kind: fc.constant('remove' as const), path: fc.constantFrom('a', 'b') }),
      fc.record({
        kind: fc.constant('user' as const),
        path: fc.constantFrom('a', 'b'),
        text: fc.constantFrom('1', '2', 'u'),
      }),
      fc.record({ kind: fc.constant('undo' as const), index: fc.nat(12) }),
      fc.record({ kind: fc.constant('restart' as const) }),
    );
    const seed = Date.now() & 0x7fffffff;
    console.info(`[D1] seed ${seed}`);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (program) => {
        let on = scene({ a: '0' });
        const known: { id: string; before: string | null; after: string | null; path: string }[] = [];
        for (const act of program) {
          if (act.kind === 'restart') {
            on.kill();
            on = on.next();
          } else if (act.kind === 'user') on.workspace.put(act.path, act.text);
          else if (act.kind === 'undo') {
            const picked = known[act.index % Math.max(known.length, 1)];
            if (picked === undefined) continue;
            const was = on.workspace.text(picked.path);
            const outcome = await on.service.rollback({ sessionId: SESSION, snapshotId: picked.id });
            const now = on.workspace.text(picked.path);
            if (outcome.status === 'rolledBack') {
              expect(was).toBe(picked.after);
              expect(now).toBe(picked.before);
            } else expect(now).toBe(was);
          } else {
            const before = on.workspace.text(act.path);
            const after = act.kind === 'edit' ? act.text : null;
            const { change } = await on.service.capture(request(act.path), (target) =>
              act.kind === 'edit' ? target.write(act.text) : target.remove(),
            );
            expect(on.workspace.text(act.path)).toBe(after);
            expect(change === null).toBe(before === after);
            if (change !== null) known.push({ id: change.id, before, after, path: act.path });
          }
          expect(on.workspace.list().filter((path) => path.endsWith('~'))).toEqual([]);
        }
      }),
      { seed, numRuns: 300 },
    );
  });
});
