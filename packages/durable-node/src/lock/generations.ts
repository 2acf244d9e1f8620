/**
 * The files of one lock directory: `000000000042.own` says who took generation 42, `000000000042.rel` that it is free
 * again. All calls are synchronous: they are a few microseconds each, and nothing can come between two of them in
 * this process.
 */
import { linkSync, lstatSync, mkdirSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf, ioError } from '../errno.ts';

const DIGITS = 12;
/** The highest number that a file name can carry. */
export const LAST_GENERATION: number = 10 ** DIGITS - 1;
/** How many generations below the top stay: what a release removes lies deeper. */
const KEPT = 8;

export interface Top {
  /** 0: nobody has ever held it. */
  generation: number;
  released: boolean;
}

/** What one look at the directory shows: numbers of `.own` and of `.rel`. Other names are none of ours. */
export interface Look {
  top: Top;
  owned: number[];
  names: string[];
}

export function ownPath(directory: string, generation: number): string {
  return join(directory, `${String(generation).padStart(DIGITS, '0')}.own`);
}

export function releasePath(directory: string, generation: number): string {
  return join(directory, `${String(generation).padStart(DIGITS, '0')}.rel`);
}

/** A directory that is not there looks like an empty one. */
export function look(directory: string): Look {
  const names = list(directory).filter((name) => /^\d{12}\.(own|rel)$/.test(name));
  const owned: number[] = [];
  let top = 0;
  for (const name of names) {
    const generation = Number(name.slice(0, DIGITS));
    top = Math.max(top, generation);
    if (name.endsWith('.own')) owned.push(generation);
  }
  const released = top === 0 || names.includes(`${String(top).padStart(DIGITS, '0')}.rel`);
  return { top: { generation: top, released }, owned, names };
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    // ENOENT: nobody took this lock yet, or its session was removed.
    if (errnoOf(error) === 'ENOENT') return [];
    throw ioError('read the lock directory', directory, error);
  }
}

export type LinkResult =
  | 'linked'
  /** Somebody has that name already: this is the compare-and-swap. */
  | 'taken'
  /** The record or the directory is gone. */
  | 'gone'
  /** As many names lead to this record as the file system allows. */
  | 'full'
  /** This file system has no hard links. */
  | 'unsupported';

const LINK_REFUSALS: Record<string, LinkResult> = {
  EEXIST: 'taken',
  ENOENT: 'gone',
  EMLINK: 'full',
  EPERM: 'unsupported',
  ENOTSUP: 'unsupported',
  EOPNOTSUPP: 'unsupported',
  ENOSYS: 'unsupported',
  EXDEV: 'unsupported',
};

export function linkRecord(record: string, name: string): LinkResult {
  try {
    linkSync(record, name);
    return 'linked';
  } catch (error) {
    const result = LINK_REFUSALS[errnoOf(error) ?? ''];
    if (result === undefined) throw ioError('make the lock file', name, error);
    return result;
  }
}

/** True where this call removed it. */
export function removeFile(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    // ENOENT: another process pruned it first.
    if (errnoOf(error) === 'ENOENT') return false;
    throw ioError('remove', path, error);
  }
}

/** Generations far below the held one prove nothing any more; without this a directory would grow for ever. */
export function prune(directory: string, held: number, names: readonly string[]): void {
  for (const name of names) {
    if (Number(name.slice(0, DIGITS)) < held - KEPT) removeFile(join(directory, name));
  }
}

export function makeLockDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw ioError('make the lock directory', directory, error);
  }
}

/** When the record got its name, in milliseconds since 1970; null where it is gone. No program can set this stamp. */
export function stampOf(path: string): number | null {
  try {
    return lstatSync(path).ctimeMs;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw ioError('look at', path, error);
  }
}
