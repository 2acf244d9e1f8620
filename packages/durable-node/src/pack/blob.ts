import { createHash } from 'node:crypto';
import { closeSync, fstatSync, lstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf, ioError } from '../errno.ts';
import { READ_FLAGS } from '../read-bounded.ts';
import { readSlices } from '../read-slices.ts';
import { syncData } from '../sync.ts';
import type { PackLocator } from './locator.ts';

/** The bytes, where length and digest are what the locator says; else null. */
export async function readBlob(directory: string, locator: PackLocator): Promise<Uint8Array | null> {
  return withSegment(directory, locator, (fd) => readVerified(fd, locator));
}

/**
 * Whether the bytes are there now and are on the disk after this call. A segment whose sync failed once, by whatever
 * process, proves nothing: its bytes may be in the cache alone, where a reader can't tell.
 */
export async function proveBlob(directory: string, locator: PackLocator, sync: boolean): Promise<boolean> {
  const proved = await withSegment(directory, locator, async (fd) => {
    if ((await readVerified(fd, locator)) === null) return null;
    if (sync && !(await canSync(fd))) return null;
    return isMarkedSealed(directory, locator.segment) ? null : true;
  });
  return proved === true;
}

async function canSync(fd: number): Promise<boolean> {
  try {
    await syncData(fd);
    return true;
  } catch (error) {
    // EIO and the like: the caller writes the bytes anew, to a segment of its own.
    if (errnoOf(error) === null) throw error;
    return false;
  }
}

/** Beside the segment: a process that finds it reuses nothing of it. */
export function sealMarkPath(directory: string, segment: string): string {
  return join(directory, `${segment}.sealed`);
}

function isMarkedSealed(directory: string, segment: string): boolean {
  return lstatSync(sealMarkPath(directory, segment), { throwIfNoEntry: false }) !== undefined;
}

const MISSING = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO'];

async function withSegment<T>(
  directory: string,
  { segment }: PackLocator,
  use: (fd: number) => Promise<T | null>,
): Promise<T | null> {
  const path = join(directory, segment);
  let fd: number | null = null;
  try {
    fd = openSync(path, READ_FLAGS);
    return await use(fd);
  } catch (error) {
    // No such segment, or something else under its name: the bytes are missing.
    if (MISSING.includes(errnoOf(error) ?? '')) return null;
    // A bad sector: they are damaged.
    if (errnoOf(error) === 'EIO') return null;
    throw ioError('read', path, error);
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

async function readVerified(fd: number, { digest, offset, length }: PackLocator): Promise<Uint8Array | null> {
  const stats = fstatSync(fd);
  if (!stats.isFile() || offset + length > stats.size) return null;
  const bytes = new Uint8Array(length);
  const hash = createHash('sha256');
  const read = await readSlices(fd, { position: offset, length, into: bytes, hash });
  return read === length && hash.digest('hex') === digest ? bytes : null;
}
