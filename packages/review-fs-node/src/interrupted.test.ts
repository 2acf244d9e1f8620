import fs from 'node:fs';
import type { Settlement } from '@backstitch/review-core';
import { isBusy, isRefused, ReviewError } from '@backstitch/review-core';
import { describe, expect, it } from 'vitest';
import { systems } from './sandbox.fixture.ts';
import {
  failAt,
  Killed,
  killAt,
  OPERATIONS,
  type Operation,
  type Run,
  run,
  standing,
} from './sweep.fixture.ts';
import { detectSystem, type System } from './system.ts';

let recoveries = 0;

/** Recovery by another process: other calls, its own locks. */
async function recover(ran: Run, system: Partial<System>): Promise<Settlement | null> {
  if (ran.intent === null) return null;
  recoveries += 1;
  const workspace = await ran.box.open(system, { lockDirectory: `${ran.box.lockDirectory}-${recoveries}` });
  const settled = await workspace.settle(ran.intent);
  if (isBusy(settled) || isRefused(settled)) throw new Error(`not settled: ${JSON.stringify(settled)}`);
  return settled;
}

/** One of the two ends, and nothing of ours beside it. */
function expectEnd(ran: Run, operation: Operation, settled: Settlement | null, at: string): void {
  const done = settled?.result === 'done';
  if (settled !== null) expect([at, settled.result]).toEqual([at, done ? 'done' : 'prior']);
  expect([at, standing(ran.box, operation.path)]).toEqual([at, done ? operation.to : operation.from]);
  expect([at, ran.box.names()]).toEqual([at, done ? operation.namesAfter : operation.namesBefore]);
}

const matrix = systems().flatMap(([way, system]) =>
  OPERATIONS.map((operation) => ({ title: `${way}: ${operation.name}`, system, operation })),
);

describe.each(matrix)('$title', { timeout: 120_000 }, ({ system, operation }) => {
  const real = system.calls ?? detectSystem().calls;
  const linked = system.calls === undefined && system.linksLinks !== false;

  it('[D2] [C017] a kill before any call leaves old or new, and recovery leaves one end and no litter', async () => {
    let k = 1;
    for (; ; k += 1) {
      const ran = await run(operation, { ...system, calls: killAt(real, k).calls });
      if (ran.error === null) break;
      expect(ran.error instanceof Killed || ReviewError.isInstance(ran.error)).toBe(true);
      const now = standing(ran.box, operation.path);
      // Without a second name for what is displaced there is a moment in which nothing stands there.
      expect([operation.from, operation.to, ...(linked ? [] : ['absent'])]).toContain(now);
      expectEnd(ran, operation, await recover(ran, system), `kill ${k}`);
      fs.rmSync(ran.box.dir, { recursive: true });
    }
    // Fewer than that, and the sweep missed the changes that it is about.
    expect(k).toBeGreaterThan(6);
  });

  it('[D3] a kill during recovery changes nothing of that', async () => {
    const total = killAt(real, Number.POSITIVE_INFINITY);
    const whole = await run(operation, { ...system, calls: total.calls });
    expect(whole.error).toBeNull();
    for (let k = 2; k <= total.count(); k += 1) {
      for (let j = 2; j < 100; j += 1) {
        const ran = await run(operation, { ...system, calls: killAt(real, k).calls });
        const killed = await recover(ran, { ...system, calls: killAt(real, j).calls }).then(
          () => false,
          (error: unknown) => error instanceof Killed,
        );
        expectEnd(ran, operation, await recover(ran, system), `kill ${k}, then ${j}`);
        fs.rmSync(ran.box.dir, { recursive: true });
        if (!killed) break;
      }
    }
  });

  it.each(['ENOSPC', 'EIO', 'EACCES'])(
    '[D5] %s at any call, once: a typed answer, a whole target, no litter',
    async (errno) => {
      for (let n = 2; ; n += 1) {
        const plan = failAt(real, n, errno, false);
        const ran = await run(operation, { ...system, calls: plan.calls });
        if (plan.count() < n) break;
        expectTyped(ran, errno, n);
        expect([operation.from, operation.to]).toContain(standing(ran.box, operation.path));
        expectEnd(ran, operation, await recover(ran, system), `${errno} at ${n}`);
        fs.rmSync(ran.box.dir, { recursive: true });
      }
    },
  );

  it.each(['EROFS'])(
    '[D5] %s from any call on: the same, once the disk takes writes again',
    async (errno) => {
      for (let n = 2; ; n += 1) {
        const plan = failAt(real, n, errno, true);
        const ran = await run(operation, { ...system, calls: plan.calls });
        if (plan.count() < n) break;
        expectTyped(ran, errno, n);
        expectEnd(ran, operation, await recover(ran, system), `${errno} from ${n}`);
        fs.rmSync(ran.box.dir, { recursive: true });
      }
    },
  );
});

function expectTyped({ error, result }: Run, errno: string, n: number): void {
  if (error === null) {
    expect(result).toEqual(expect.anything());
    return;
  }
  if (!ReviewError.isInstance(error)) throw new Error(`untyped at call ${n}: ${error}`);
  expect(['fileFailed', 'pathRefused']).toContain(error.code);
  if (error.code === 'fileFailed') expect([n, error.errno]).toEqual([n, errno]);
  expect(error.path).not.toBeNull();
  expect(error.message).toMatch(/\.$/);
}
