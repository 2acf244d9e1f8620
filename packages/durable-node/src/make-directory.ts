/**
 * Makes a directory and those above it, so that a power cut after the call leaves all of them.
 *
 * Protocol: from the deepest directory that exists downwards, each one is made, given its mode, and its name synced
 * in its parent before the next one is made. The name of the deepest existing one is synced too: its maker may have
 * been killed between its two steps. So, whoever makes a directory by this function, everything above an existing
 * one is on the disk already.
 *
 * Two processes may do this at once: the one that comes second finds the directory and syncs its name again.
 */
import { constants } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Durability } from './durability.ts';
import { DurableError } from './durable-error.ts';
import { errnoOf, ioError } from './errno.ts';
import { syncDirectory } from './sync.ts';

export interface MakeDirectoryOptions {
  /** Of each directory that is made, whatever the umask. Default 0700. Existing ones are left as they are. */
  mode?: number;
  durability?: Durability;
}

/**
 * @throws DurableError `ioFailed`; `errno` is `ENOTDIR` where something else stands at the path.
 * @since 0.1.0
 */
export async function makeDirectory(path: string, options: MakeDirectoryOptions = {}): Promise<void> {
  const { mode = 0o700, durability = 'power' } = options;
  const missing = await missingFrom(resolve(path));
  await syncExisting(missing.existing, durability);
  for (const directory of missing.directories) {
    await makeOne(directory, mode);
    await syncDirectory(dirname(directory), durability);
  }
}

async function missingFrom(path: string): Promise<{ existing: string; directories: string[] }> {
  const directories: string[] = [];
  let existing = path;
  while (!(await isDirectory(existing))) {
    directories.unshift(existing);
    existing = dirname(existing);
  }
  return { existing, directories };
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isDirectory()) return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && dirname(path) !== path) return false;
    throw ioError('look at', path, error);
  }
  throw new DurableError('ioFailed', `Could not make a directory at ${path}: something else stands there.`, {
    path,
    errno: 'ENOTDIR',
  });
}

async function syncExisting(path: string, durability: Durability): Promise<void> {
  if (dirname(path) === path) return;
  try {
    await syncDirectory(dirname(path), durability);
  } catch (error) {
    // EACCES: the directory above may be searched but not read; then it is not this user who made names in it.
    if (errnoOf(error) !== 'EACCES') throw error;
  }
}

async function makeOne(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    // EEXIST: another process was quicker. What it made must be a directory, else the next step fails.
    if (errnoOf(error) === 'EEXIST' && (await isDirectory(path))) return;
    throw ioError('make the directory', path, error);
  }
  try {
    await setMode(path, mode);
  } catch (error) {
    throw ioError('set the mode of', path, error);
  }
}

/** By a handle, so that nobody can put another directory in between; the umask may have taken bits away. */
async function setMode(path: string, mode: number): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    await handle.chmod(mode);
  } finally {
    await handle.close();
  }
}
