import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createReviewService, ReviewError, type ReviewService } from '@backstitch/review-core';
import { openFileReviewStore, openNodeWorkspace } from '@backstitch/review-fs-node';
import { afterEach, describe, expect, it, type TestContext } from 'vitest';
import { request, SESSION } from './host.fixture.ts';

const ends: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A disk of a megabyte for one of the two, and room for the other. */
async function start(context: TestContext, small: 'store' | 'work') {
  const base = mkdtempSync(join(tmpdir(), 'backstitch-disk-'));
  ends.push(() => rmSync(base, { recursive: true, force: true }));
  for (const name of ['store', 'work']) mkdirSync(join(base, name), { mode: 0o700 });
  mountSmall(context, join(base, small));
  const store = await openFileReviewStore({ directory: join(base, 'store') });
  ends.push(() => store.close());
  const workspace = await openNodeWorkspace({ root: join(base, 'work'), lockDirectory: join(base, 'locks') });
  const service = createReviewService({ store, workspace });
  ends.push(() => service.close());
  const filler = join(base, small, 'filler');
  return { service, file: join(base, 'work', 'a.txt'), fill: () => fill(filler), free: () => rmSync(filler) };
}

function mountSmall(context: TestContext, directory: string): void {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=0700', 'none', directory], { stdio: 'pipe' });
  } catch (error) {
    // No right to mount: counted as not run, with the reason, never as passed.
    context.skip(`a small disk can't be mounted here: ${String(error).split('\n')[0]}`);
  }
  ends.push(() => void execFileSync('umount', ['-l', directory]));
}

function fill(path: string): void {
  try {
    for (let size = 64 * 1024; ; ) writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

const write = (service: ReviewService, content: string | Uint8Array) =>
  service.capture(request('a.txt'), (target) => target.write(content));

describe('[D5] on a disk that is full', () => {
  it('a store without room lets no tool run; the same call works once there is room', async (context) => {
    const { service, file, fill: fillUp, free } = await start(context, 'store');
    writeFileSync(file, Buffer.alloc(200_000, 'o'));
    await service.startRound({ sessionId: SESSION, round: { id: 'r', ordinal: 1 } });
    fillUp();
    let ran = false;
    const failed = await service
      .capture(request('a.txt'), () => {
        ran = true;
      })
      .catch((error: unknown) => error);
    expect(ReviewError.isInstance(failed) && [failed.code, failed.errno]).toEqual(['storeFailed', 'ENOSPC']);
    expect(ran).toBe(false);
    free();
    const { change } = await write(service, 'new\n');
    const outcome = await service.rollback({ sessionId: SESSION, snapshotId: change!.id });
    expect(outcome.status).toBe('rolledBack');
    expect(readFileSync(file).equals(Buffer.alloc(200_000, 'o'))).toBe(true);
  });

  it('a workspace without room: the file is as it was, no litter, and the rollback works once there is room', async (context) => {
    const { service, file, fill: fillUp, free } = await start(context, 'work');
    const old = Buffer.alloc(300_000, 'o');
    writeFileSync(file, old);
    const { change } = await write(service, 'new\n');
    fillUp();
    const outcome = await service.rollback({ sessionId: SESSION, snapshotId: change!.id });
    expect(outcome).toMatchObject({ status: 'failed', reason: 'io', errno: 'ENOSPC', wrote: false });
    expect(readFileSync(file, 'utf8')).toBe('new\n');
    expect(readdirSync(join(file, '..')).sort()).toEqual(['a.txt', 'filler']);
    await expect(write(service, old)).rejects.toMatchObject({ code: 'fileFailed', errno: 'ENOSPC' });
    expect(readFileSync(file, 'utf8')).toBe('new\n');
    free();
    const again = await service.rollback({ sessionId: SESSION, snapshotId: change!.id });
    expect(again.status).toBe('rolledBack');
    expect(readFileSync(file).equals(old)).toBe(true);
  });
});
