/**
 * Publishes whole files: a reader, a kill or a power cut at any moment leaves the old bytes or the new ones.
 *
 * Protocol: a temp with a random name in the same directory (`wx`, 0600) → all bytes, every count checked → mode by
 * the handle → fsync → size checked → rename over the target → fsync of the directory.
 *
 * Failure: before the rename the target is untouched and the temp is removed. Where the rename was done and the
 * directory could not be synced, the new bytes are in place but not proved to stay: `uncertain`.
 *
 * A SIGKILL before the rename leaves the temp. Its name starts with `TEMP_PREFIX` and ends with `~`, so that watchers
 * ignore it and its owner's directory can be cleaned of it.
 */

import { randomBytes } from 'node:crypto';
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Durability } from './durability.ts';
import { DurableError } from './durable-error.ts';
import { errnoOf, ioError } from './errno.ts';
import { syncDirectory, syncFile } from './sync.ts';
import { writeSliced } from './write-all.ts';

/** What the name of every temp starts with. */
export const TEMP_PREFIX = '.backstitch-';

export interface ReplaceFileOptions {
  /** Permission bits, whatever the umask. Default: those of the file that is replaced, 0600 for a new one. */
  mode?: number;
  durability?: Durability;
}

/**
 * A symbolic link at `path` is replaced, not followed.
 *
 * @throws DurableError `ioFailed` (the target is untouched) or `uncertain` (see above)
 * @since 0.1.0
 */
export async function replaceFile(
  path: string,
  bytes: Uint8Array,
  options: ReplaceFileOptions = {},
): Promise<void> {
  const { durability = 'power' } = options;
  const mode = options.mode ?? (await currentMode(path));
  const temp = join(dirname(path), `${TEMP_PREFIX}${randomBytes(16).toString('hex')}~`);
  try {
    await writeTemp(temp, bytes, mode, durability);
    await renameOver(temp, path);
  } catch (error) {
    // Any refusal up to and with the rename: the target is as it was, only the temp must go.
    await removeTemp(temp);
    throw ioError('replace', path, error);
  }
  try {
    await syncDirectory(dirname(path), durability);
  } catch (error) {
    throw ioError('sync the new name of', path, error, 'uncertain');
  }
}

async function currentMode(path: string): Promise<number> {
  try {
    const stats = await lstat(path);
    return stats.isFile() ? stats.mode & 0o777 : 0o600;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 0o600;
    throw ioError('look at', path, error);
  }
}

async function writeTemp(
  temp: string,
  bytes: Uint8Array,
  mode: number,
  durability: Durability,
): Promise<void> {
  const handle = await open(temp, 'wx', 0o600);
  try {
    await writeSliced(handle.fd, bytes);
    await handle.chmod(mode);
    if (durability !== 'none') await syncFile(handle.fd);
    await checkSize(handle, temp, bytes.length);
  } finally {
    await handle.close();
  }
}

async function checkSize(handle: FileHandle, temp: string, expected: number): Promise<void> {
  const { size } = await handle.stat();
  if (size === expected) return;
  throw new DurableError('ioFailed', `${temp} holds ${size} bytes after ${expected} were written to it.`, {
    path: temp,
    errno: 'EIO',
  });
}

/** On Windows virus scanners and indexers keep a file open for moments: there a refused rename is tried again. */
async function renameOver(temp: string, path: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await rename(temp, path);
    } catch (error) {
      const passing = ['EPERM', 'EACCES', 'EBUSY'].includes(errnoOf(error) ?? '');
      if (process.platform !== 'win32' || !passing || tries === 10) throw error;
      await setTimeout(tries * 40);
    }
  }
}

async function removeTemp(temp: string): Promise<void> {
  try {
    await unlink(temp);
  } catch (error) {
    // ENOENT: it could not even be made. Anything else must not hide why the replacing failed.
    if (errnoOf(error) === null) throw error;
  }
}
