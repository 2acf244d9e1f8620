import { close, constants, fdatasync, fsync, open } from 'node:fs';
import { promisify } from 'node:util';
import type { Durability } from './durability.ts';
import { errnoOf, ioError } from './errno.ts';

const openAsync = promisify(open);
const closeAsync = promisify(close);
const fsyncAsync = promisify(fsync);

/** Bytes and length of an open file, on the disk. Node makes this F_FULLFSYNC on macOS. */
export const syncData: (fd: number) => Promise<void> = promisify(fdatasync);

/** Bytes and all attributes of an open file, on the disk. */
export const syncFile: (fd: number) => Promise<void> = fsyncAsync;

/** Whether directories can be synced at all: Windows has no such call. */
export const DIRECTORY_SYNC: boolean = process.platform !== 'win32';

/**
 * Puts the names in a directory on the disk: what was created, renamed or removed in it before the call survives a
 * power cut. Does nothing unless `durability` is `power`, on Windows, and on file systems without that call.
 *
 * @throws DurableError `ioFailed`. Whether the names are on the disk is then unknown.
 * @since 0.1.0
 */
export async function syncDirectory(path: string, durability: Durability = 'power'): Promise<void> {
  if (durability !== 'power' || !DIRECTORY_SYNC) return;
  try {
    const fd = await openAsync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await syncNames(fd);
    } finally {
      await closeAsync(fd);
    }
  } catch (error) {
    throw ioError('sync the directory', path, error);
  }
}

async function syncNames(fd: number): Promise<void> {
  try {
    await fsyncAsync(fd);
  } catch (error) {
    // EINVAL: some network and FUSE file systems have no such call for directories; their names are theirs to keep.
    if (errnoOf(error) !== 'EINVAL') throw error;
  }
}
