import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty directory that is gone when the test is. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'durable-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A file system of so many bytes; or why there is none here. */
export function tinyDisk(bytes: number): { path: string } | { notRun: string } {
  const path = join(folder(), 'disk');
  mkdirSync(path);
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path], {
    encoding: 'utf8',
  });
  if (mount.status !== 0)
    return { notRun: `a full disk needs a tmpfs, and mount said: ${mount.stderr ?? mount.error}` };
  onTestFinished(() => {
    // Lazily: a test that failed may have left a file open in it.
    spawnSync('umount', ['-l', path]);
  });
  return { path };
}

/** Runs with that umask. Only in a process of its own: vitest gives each test file one. */
export async function withUmask<T>(mask: number, run: () => Promise<T>): Promise<T> {
  const before = process.umask(mask);
  try {
    return await run();
  } finally {
    process.umask(before);
  }
}
