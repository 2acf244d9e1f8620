import { type BigIntStats, closeSync, constants, lstatSync, openSync, readSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { errnoOf } from '@backstitch/durable-node';
import { onFile, storeFailed, toReviewError } from './failures.ts';

/** What tells one state of the file from another without reading it. Times are nanoseconds. */
export interface FileStamp {
  dev: bigint;
  ino: bigint;
  size: number;
  mtimeNs: bigint;
  ctimeNs: bigint;
}

/**
 * One spelling for one file, so that two openers share a lock: links on the way, and at the end, are resolved
 * once. The file need not be there yet; its directory must be.
 */
export async function resolveTranscript(path: string): Promise<string> {
  const absolute = resolve(path);
  return onFile(absolute, async () => {
    try {
      return await realpath(absolute);
    } catch (error) {
      // A transcript that was not begun yet.
      if (errnoOf(error) !== 'ENOENT') throw error;
      return join(await realpath(dirname(absolute)), basename(absolute));
    }
  });
}

/** The file's stamp, or null where there is none. One system call; opens nothing, so nothing can block. */
export function stampOf(path: string): FileStamp | null {
  const stats = lstat(path);
  if (stats === null) return null;
  if (!stats.isFile()) throw wrongKind(path, stats);
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return { dev, ino, size: Number(size), mtimeNs, ctimeNs };
}

function lstat(path: string): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    // A parent that became a file, a directory that may not be searched, a failing disk.
    throw toReviewError(path, error);
  }
}

function wrongKind(path: string, stats: BigIntStats): Error {
  if (stats.isDirectory()) return notAFile(path, 'a directory', 'EISDIR');
  if (stats.isSymbolicLink()) return notAFile(path, 'a link', 'ELOOP');
  return notAFile(path, 'a pipe, a socket or a device', null);
}

function notAFile(path: string, kind: string, errno: string | null): Error {
  return storeFailed(`The transcript ${path} is ${kind}: give the path of a regular file.`, path, errno);
}

export function sameFile(one: FileStamp, other: FileStamp): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

export function sameStamp(one: FileStamp, other: FileStamp): boolean {
  return (
    sameFile(one, other) &&
    one.size === other.size &&
    one.mtimeNs === other.mtimeNs &&
    one.ctimeNs === other.ctimeNs
  );
}

/** The bytes from one offset to another; fewer where the file ends before. */
export function readBytes(path: string, from: number, to: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, to - from));
  const fd = openForReading(path);
  try {
    let done = 0;
    while (done < bytes.length) {
      const count = readSync(fd, bytes, done, bytes.length - done, from + done);
      if (count === 0) break;
      done += count;
    }
    return bytes.subarray(0, done);
  } catch (error) {
    throw toReviewError(path, error);
  } finally {
    closeSync(fd);
  }
}

function openForReading(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw toReviewError(path, error);
  }
}
