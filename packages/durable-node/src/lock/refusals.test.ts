import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createLockProvider } from '../index.ts';
import { folder } from '../test-support/folders.ts';
import { held } from '../test-support/locks.ts';

/** File systems without hard links, with few of them, and full ones can't be made here: `link` is told to refuse. */
const refusing = vi.hoisted(() => ({ code: null as string | null, source: /./ }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    linkSync: (...args: Parameters<typeof fs.linkSync>) => {
      if (refusing.code !== null && refusing.source.test(String(args[0]))) {
        throw Object.assign(new Error(refusing.code), { code: refusing.code });
      }
      fs.linkSync(...args);
    },
  };
});

const KEY = 'c'.repeat(64);

beforeEach(() => {
  refusing.code = null;
  refusing.source = /./;
});

describe('without hard links', () => {
  it.each(['EPERM', 'ENOTSUP', 'EXDEV'])('(%s) locks by files of their own, and says so', async (code) => {
    refusing.code = code;
    const directory = folder();
    const [a, b] = [createLockProvider({ directory }), createLockProvider({ directory })];
    expect(a.capabilities.hardLinks).toEqual({ level: 'full' });
    const lock = held(await a.acquire(KEY));
    expect(a.capabilities.hardLinks.level).toBe('weaker');
    expect(a.capabilities.hardLinks.why).toContain('no hard links');
    expect(await b.acquire(KEY, { timeoutMs: 10 })).toEqual({ busy: true, holder: a.owner, generation: 1 });
    lock.release();
    expect(JSON.parse(readFileSync(join(directory, KEY, '000000000001.rel'), 'utf8'))).toEqual(a.owner);
    const next = held(await b.acquire(KEY));
    expect(next.generation).toBe(2);
    expect(await a.breakLock(KEY, { generation: 2, reason: 'test' })).toBe(true);
    expect(next.holds()).toBe(false);
  });
});

describe('a record with as many names as it may have', () => {
  it('goes on with a new one', async () => {
    const directory = folder();
    const provider = createLockProvider({ directory });
    held(await provider.acquire(KEY)).release();
    refusing.code = 'EMLINK';
    refusing.source = /-1\.json$/;
    expect(held(await provider.acquire(KEY, { timeoutMs: 0 })).generation).toBe(2);
    expect(provider.capabilities.hardLinks.level).toBe('full');
    expect(readdirSync(join(directory, '.owners'))).toHaveLength(1);
  });
});

describe('a full disk', () => {
  it('makes acquire fail with its code, and nothing is held', async () => {
    const provider = createLockProvider({ directory: folder() });
    held(await provider.acquire(KEY)).release();
    refusing.code = 'ENOSPC';
    await expect(provider.acquire(KEY)).rejects.toMatchObject({ code: 'ioFailed', errno: 'ENOSPC' });
    refusing.code = null;
    expect(held(await provider.acquire(KEY)).generation).toBe(2);
  });

  it('makes release leave the lock with its provider, which takes it again', async () => {
    const directory = folder();
    const [a, b] = [createLockProvider({ directory }), createLockProvider({ directory })];
    const lock = held(await a.acquire(KEY));
    refusing.code = 'ENOSPC';
    lock.release();
    expect(lock.holds()).toBe(false);
    refusing.code = null;
    expect(await b.acquire(KEY, { timeoutMs: 0 })).toEqual({ busy: true, holder: a.owner, generation: 1 });
    expect(held(await a.acquire(KEY, { timeoutMs: 0 })).generation).toBe(2);
  });
});
