/**
 * Where things lie in a store, and the door through which a directory becomes one.
 *
 *     <store>/store.json                   format, version, id
 *     <store>/locks/<key>/                 the generation lock of a session
 *     <store>/trash/                       what a sweep took
 *     <store>/sessions/<key>/session.json  id, creation, application
 *     <store>/sessions/<key>/journal.jsonl the events: the one authority
 *     <store>/sessions/<key>/pack-….bin    raw bytes
 *
 * `<key>` is the SHA-256 of the session's id, so that no id is ever a path. Directories are 0700 and files 0600,
 * whatever the umask; looser ones are tightened when they are met. A directory that holds other things is refused,
 * since to tighten it would lock other programs out.
 */

import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
} from 'node:fs';
import { isAbsolute, join } from 'node:path';
import {
  type Durability,
  makeDirectory,
  readBounded,
  replaceFile,
  sha256,
  TEMP_PREFIX,
} from '@backstitch/durable-node';
import { ReviewError } from '@backstitch/review-core';

const FORMAT = 'backstitch-store';
const VERSION = 1;
const PARTS = ['store.json', 'locks', 'trash', 'sessions'];
const SESSION_FILE = /^(?:session\.json|journal\.jsonl|pack-[0-9a-f]{16}-\d{4,9}\.bin)$/;
const STORE_FILE_CAP = 64 * 1024;
const LOOSE = 0o077;

export interface StoreLayout {
  /** The real path of the store. */
  readonly directory: string;
  readonly locks: string;
  readonly sessions: string;
}

/** The name that stands for a session on disk. */
export function sessionKey(id: string): string {
  if (id !== '' && id.length <= 4096 && !/\p{Surrogate}/u.test(id)) return sha256(Buffer.from(id));
  throw new ReviewError(
    'invalidArgument',
    'A session id has 1 to 4,096 characters and no half of a surrogate pair: choose another one.',
  );
}

export function isSessionKey(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}

/**
 * Makes the directory a store, or checks that it is one.
 *
 * @throws ReviewError `storePlacement`, `storeDamaged`, `storeReadOnly`; DurableError where the disk refuses
 */
export async function openLayout(directory: string, durability: Durability): Promise<StoreLayout> {
  if (!isAbsolute(directory)) {
    throw placement(directory, 'is not absolute, so it would depend on who asks: give the whole path');
  }
  await makeDirectory(directory, { durability });
  const real = realpathSync(directory);
  const names = readdirSync(real);
  if (!names.includes('store.json')) refuseForeign(real, names);
  tighten(real, 'directory');
  const layout = { directory: real, locks: join(real, 'locks'), sessions: join(real, 'sessions') };
  for (const path of [layout.locks, layout.sessions, join(real, 'trash')]) {
    await makeDirectory(path, { durability });
    tighten(path, 'directory');
  }
  await openStoreFile(join(real, 'store.json'), durability);
  return layout;
}

/** A store whose making was cut short holds some of its parts; anything else belongs to somebody. */
function refuseForeign(directory: string, names: readonly string[]): void {
  const other = names.find((name) => !PARTS.includes(name) && !name.startsWith(TEMP_PREFIX));
  if (other !== undefined) {
    throw placement(
      directory,
      `holds ${JSON.stringify(other)} and is no store: give it a directory of its own`,
    );
  }
}

function placement(directory: string, what: string): ReviewError {
  return new ReviewError('storePlacement', `The store directory ${directory} ${what}.`, { path: directory });
}

async function openStoreFile(path: string, durability: Durability): Promise<void> {
  const read = await readBounded(path, { cap: STORE_FILE_CAP });
  if (read.kind === 'missing') {
    const content = { format: FORMAT, version: VERSION, minReader: VERSION, storeId: randomUUID() };
    await replaceFile(path, Buffer.from(`${JSON.stringify(content)}\n`), { mode: 0o600, durability });
    return;
  }
  if (read.kind !== 'file' || read.bytes === null) throw damaged(path, `it is no small file (${read.kind})`);
  tighten(path, 'file');
  checkStoreFile(path, read.bytes);
}

function checkStoreFile(path: string, bytes: Uint8Array): void {
  const content = parseObject(bytes);
  if (content === null || content.format !== FORMAT || typeof content.version !== 'number') {
    throw damaged(path, 'its content is not that of a store');
  }
  const lowest = typeof content.minReader === 'number' ? content.minReader : content.version;
  if (lowest > VERSION) {
    throw new ReviewError(
      'storeReadOnly',
      `The store at ${path} was made by a newer version (${content.version}): upgrade to read it.`,
      { path },
    );
  }
}

function damaged(path: string, what: string): ReviewError {
  return new ReviewError(
    'storeDamaged',
    `${path} can't be read: ${what}. Put it back from a copy, or choose another directory.`,
    { path },
  );
}

/** Null where the bytes are no JSON object. */
export function parseObject(bytes: Uint8Array): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch (error) {
    // NUL bytes or half a file after a power cut, or written over by hand.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Unknown names are left alone. */
export function tightenSession(directory: string): void {
  tighten(directory, 'directory');
  for (const name of readdirSync(directory).filter((each) => SESSION_FILE.test(each))) {
    tighten(join(directory, name), 'file');
  }
}

/**
 * Takes the rights of others away, by a handle. Links are not followed: what should be a part of the store and is a
 * link is damage.
 *
 * @throws ReviewError `storeDamaged` where something else stands there
 */
export function tighten(path: string, kind: 'file' | 'directory'): void {
  const wrong = damaged(path, `it is no ${kind}`);
  const named = lstatSync(path);
  if (kind === 'file' ? !named.isFile() : !named.isDirectory()) throw wrong;
  if (process.platform === 'win32' || (named.mode & LOOSE) === 0) return;
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(fd);
    if (stats.ino !== named.ino || stats.dev !== named.dev) throw wrong;
    fchmodSync(fd, stats.mode & 0o700);
  } finally {
    closeSync(fd);
  }
}
