/**
 * One file with a record in it, made once and given many names: a name appears whole or not at all, and costs no new
 * file.
 *
 * It lies in a directory of its own beside the lock directories and is nothing but a source for links: whoever
 * misses it makes it again. So files that were not linked for a while may be removed by anybody, without any proof.
 * Where a file system has no hard links, each name is a file of its own, made by `wx`; a reader may then meet it half
 * written, and takes it as held.
 */
import { closeSync, fchmodSync, mkdirSync, openSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf, ioError } from '../errno.ts';
import { writeAll } from '../write-all.ts';
import { linkRecord, removeFile, stampOf } from './generations.ts';

/** A key can't begin with a dot, so this is no lock directory. */
const SOURCES = '.owners';
/** Only how soon litter goes; nothing depends on it. */
const UNUSED_MS = 600_000;

export interface RecordFile {
  /** False once a file system refused hard links. */
  readonly hardLinks: boolean;
  /** `taken`: that name exists. `gone`: its directory does not. */
  linkTo(name: string): 'linked' | 'taken' | 'gone';
  remove(): void;
}

export function createRecordFile(directory: string, name: string, record: object): RecordFile {
  const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
  const sources = join(directory, SOURCES);
  let hardLinks = true;
  let made = 0;
  let source: string | null = null;

  function fresh(): string {
    if (made === 0) removeUnused(sources);
    if (source !== null) removeFile(source);
    made += 1;
    source = join(sources, `${name}-${made}.json`);
    if (!createWith(source, bytes)) throw new Error(`The random name ${source} exists already.`);
    return source;
  }

  function linkSource(target: string): 'linked' | 'taken' | 'gone' {
    for (let tries = 0; tries < 3; tries++) {
      source ??= fresh();
      const result = linkRecord(source, target);
      if (result === 'linked' || result === 'taken') return result;
      if (result === 'unsupported') {
        hardLinks = false;
        return createNamed(target, bytes);
      }
      if (result === 'gone' && stampOf(source) !== null) return 'gone';
      source = fresh();
    }
    return 'gone';
  }

  return {
    get hardLinks() {
      return hardLinks;
    },
    linkTo: (target) => (hardLinks ? linkSource(target) : createNamed(target, bytes)),
    remove() {
      if (source !== null) removeFile(source);
      source = null;
    },
  };
}

function createNamed(path: string, bytes: Uint8Array): 'linked' | 'taken' | 'gone' {
  try {
    return writeNew(path, bytes) ? 'linked' : 'taken';
  } catch (error) {
    // ENOENT: the lock directory is not there (yet, or any more).
    if (errnoOf(error) === 'ENOENT') return 'gone';
    throw ioError('make the lock file', path, error);
  }
}

/** False where the name is taken. */
function createWith(path: string, bytes: Uint8Array): boolean {
  try {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    return writeNew(path, bytes);
  } catch (error) {
    throw ioError('make the lock record', path, error);
  }
}

function writeNew(path: string, bytes: Uint8Array): boolean {
  let fd: number;
  try {
    fd = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    if (process.platform !== 'win32') fchmodSync(fd, 0o600);
    writeAll(fd, bytes);
  } catch (error) {
    // A full disk: an empty record would hold the lock for ever.
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(fd);
  }
  return true;
}

function removeUnused(sources: string): void {
  for (const name of listSources(sources)) {
    const stamp = stampOf(join(sources, name));
    if (stamp !== null && Math.abs(Date.now() - stamp) > UNUSED_MS) removeFile(join(sources, name));
  }
}

function listSources(sources: string): string[] {
  try {
    return readdirSync(sources);
  } catch (error) {
    // ENOENT: this is the first record here.
    if (errnoOf(error) === 'ENOENT') return [];
    throw ioError('read', sources, error);
  }
}
