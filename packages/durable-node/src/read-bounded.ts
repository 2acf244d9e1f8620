/**
 * Reads a file that somebody else may have replaced by anything: a FIFO, a device, a link, something endless.
 *
 * Protocol: lstat tells what is not even opened → open without following a link and without waiting → the handle is
 * asked again what it is → at most size + 1 bytes are read → the handle's stamps must be what they were. Memory stays
 * below the cap and one slice; the event loop gets a turn after each MiB.
 *
 * Every answer is a value. Only what this process does wrong throws.
 */

import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { DurableError } from './durable-error.ts';
import { errnoOf } from './errno.ts';
import { readSlices } from './read-slices.ts';

export interface ReadBoundedOptions {
  /** In bytes. Of a longer file the digest alone is taken. */
  cap: number;
  /** False: the digest alone is wanted, whatever the size. Default true. */
  keep?: boolean;
}

/** A regular file that did not change while it was read. @since 0.1.0 */
export interface BoundedFile {
  kind: 'file';
  /** Null over the cap, and where they were not to be kept. */
  bytes: Uint8Array | null;
  /** SHA-256 of all bytes, 64 lower-case hex digits. */
  digest: string;
  size: number;
  /** Permission bits with setuid, setgid and sticky. */
  mode: number;
  dev: bigint;
  ino: bigint;
  nlink: number;
  mtimeNs: bigint;
  ctimeNs: bigint;
}

/** No regular file, or none that stood still. `errno` where a system call said so. @since 0.1.0 */
export interface NotRead {
  kind: 'missing' | 'symlink' | 'directory' | 'fifo' | 'socket' | 'device' | 'unreadable' | 'changing';
  errno: string | null;
}

export type BoundedRead = BoundedFile | NotRead;

/** Windows has neither flag; there the lstat before is all that guards. */
export const READ_FLAGS: number =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * @throws DurableError `invalidArgument` for a cap that is no count of bytes
 * @since 0.1.0
 */
export async function readBounded(path: string, options: ReadBoundedOptions): Promise<BoundedRead> {
  const { cap, keep = true } = options;
  if (!Number.isSafeInteger(cap) || cap < 0) {
    throw new DurableError(
      'invalidArgument',
      `The cap for reading ${path} must be a number of bytes, not ${cap}.`,
    );
  }
  let fd: number | null = null;
  try {
    const notRegular = notRegularKind(lstatSync(path, { bigint: true }));
    if (notRegular !== null) return { kind: notRegular, errno: null };
    fd = openSync(path, READ_FLAGS);
    return await readOpen(fd, cap, keep);
  } catch (error) {
    // Any refusal of lstat, open, fstat or read: it is told, the caller decides what a missing file means.
    return refusal(error);
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

async function readOpen(fd: number, cap: number, keep: boolean): Promise<BoundedRead> {
  const before = fstatSync(fd, { bigint: true });
  const notRegular = notRegularKind(before);
  if (notRegular !== null) return { kind: notRegular, errno: null };
  const size = Number(before.size);
  const bytes = keep && size <= cap ? new Uint8Array(size + 1) : null;
  const hash = createHash('sha256');
  // One byte more than it should have: a file that grows shows it.
  const read = await readSlices(fd, { position: 0, length: size + 1, into: bytes, hash });
  if (read !== size || !sameStamps(before, fstatSync(fd, { bigint: true })))
    return { kind: 'changing', errno: null };
  return {
    kind: 'file',
    bytes: bytes === null ? null : bytes.subarray(0, size),
    digest: hash.digest('hex'),
    size,
    mode: Number(before.mode & 0o7777n),
    dev: before.dev,
    ino: before.ino,
    nlink: Number(before.nlink),
    mtimeNs: before.mtimeNs,
    ctimeNs: before.ctimeNs,
  };
}

function notRegularKind(stats: BigIntStats): NotRead['kind'] | null {
  if (stats.isFile()) return null;
  if (stats.isSymbolicLink()) return 'symlink';
  if (stats.isDirectory()) return 'directory';
  if (stats.isFIFO()) return 'fifo';
  if (stats.isSocket()) return 'socket';
  return 'device';
}

function sameStamps(a: BigIntStats, b: BigIntStats): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}

function refusal(error: unknown): NotRead {
  const errno = errnoOf(error);
  if (errno === null) throw error;
  if (errno === 'ENOENT' || errno === 'ENOTDIR') return { kind: 'missing', errno };
  if (errno === 'ELOOP') return { kind: 'symlink', errno };
  return { kind: 'unreadable', errno };
}
