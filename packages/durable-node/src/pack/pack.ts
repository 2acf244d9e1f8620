/**
 * Keeps bytes under their digest in append-only files. Each writer has segments of its own; everybody reads all.
 *
 * Protocol: `put` appends (or finds the same bytes) and names the place; `sync` puts it on the disk; only then may a
 * record that names the place be acknowledged. A new segment syncs its directory in its first sync.
 *
 * Bytes are reused only where they are proved: this process wrote them (a waiter on bytes that are still in flight
 * joins their sync), or it read, hashed and synced them again, which is what a hint is for. An index of what other
 * processes claim to have written would point at bytes that a power cut has taken.
 *
 * Failure: a short write leaves dead bytes. A segment whose sync failed is sealed for ever and is no source of reuse;
 * the next `put` begins another segment. Whoever put bytes that the failure may have taken must learn it from its own
 * `sync`: that is why `sync` takes locators. Nothing is ever truncated.
 */
import { join } from 'node:path';
import type { Durability } from '../durability.ts';
import { DurableError } from '../durable-error.ts';
import { errnoOf } from '../errno.ts';
import { syncDirectory } from '../sync.ts';
import { proveBlob, readBlob } from './blob.ts';
import { isDigest, isLocator, MAX_BLOB_BYTES, type PackLocator } from './locator.ts';
import type { Segment } from './segment.ts';
import { createPackWriter, type PackWriter } from './writer.ts';

export interface OpenPackOptions {
  /** Must exist. */
  directory: string;
  durability?: Durability;
}

/** @since 0.1.0 */
export interface Pack {
  /**
   * Stores bytes, or finds them stored and proved. They are on the disk after the next `sync`.
   *
   * @param digest SHA-256 of the bytes; it is not computed again here, a wrong one makes a blob that never verifies
   * @param hint where a record says that the same bytes lie: reused only after they were read, hashed and synced
   * @throws DurableError `ioFailed`, `invalidArgument`, `tooLong` (over 1 GiB), `closed`
   */
  put(digest: string, bytes: Uint8Array, hint?: PackLocator): Promise<PackLocator>;
  /**
   * Resolves when these places, which `put` returned, are on the disk; without an argument, everything that was ever
   * put. Calls share one sync. After a failed sync the call without an argument fails for ever, since what was lost
   * may have been anybody's; with locators the pack goes on.
   *
   * @throws DurableError `ioFailed` for those whose sync failed, `sealed` for those who come later, `closed`
   */
  sync(locators?: readonly PackLocator[]): Promise<void>;
  /** Verified by length and SHA-256; null where the bytes are missing or damaged. */
  get(locator: PackLocator): Promise<Uint8Array | null>;
  /** Waits for what runs; does not sync by itself. */
  close(): Promise<void>;
}

/** How many places are remembered for reuse; a forgotten one costs its bytes once more. */
const REMEMBERED = 10_000;

/** @since 0.1.0 */
export async function openPack({ directory, durability = 'power' }: OpenPackOptions): Promise<Pack> {
  const writer = createPackWriter(directory, durability);
  const places = new Map<string, PackLocator>();
  const namedElsewhere = new Set<string>();
  let closed = false;

  function checkOpen(): void {
    if (closed)
      throw new DurableError('closed', `The pack in ${directory} was closed: open it again.`, {
        path: directory,
      });
  }

  function remember(place: PackLocator): PackLocator {
    places.set(place.digest, place);
    if (places.size > REMEMBERED) places.delete(places.keys().next().value!);
    return place;
  }

  function isSealed(place: PackLocator): boolean {
    return (writer.segment(place.segment)?.failure ?? null) !== null;
  }

  /** Also syncs the name of a segment: its maker may have been killed before it did. */
  async function prove(hint: PackLocator): Promise<boolean> {
    if (isSealed(hint) || !(await proveBlob(directory, hint, durability !== 'none'))) return false;
    if (!namedElsewhere.has(hint.segment)) await syncDirectory(directory, durability);
    namedElsewhere.add(hint.segment);
    return true;
  }

  return {
    async put(digest, bytes, hint) {
      checkOpen();
      checkBlob(directory, digest, bytes);
      const known = places.get(digest);
      if (known !== undefined && !isSealed(known)) return known;
      if (isHintFor(hint, digest, bytes.length) && (await prove(hint))) return remember(pick(hint));
      const { segment, offset } = await writer.append(bytes);
      return remember({ digest, segment, offset, length: bytes.length });
    },
    async sync(locators) {
      checkOpen();
      const lost = (): Segment | undefined =>
        locators === undefined ? writer.lossy() : firstLost(writer, locators);
      const lostBefore = lost() !== undefined;
      await writer.sync();
      const segment = lost();
      if (segment !== undefined) throw syncError(directory, segment, lostBefore);
      if (locators !== undefined) checkSynced(writer, locators);
    },
    async get(locator) {
      checkOpen();
      return isLocator(locator) ? readBlob(directory, locator) : null;
    },
    async close() {
      if (closed) return;
      closed = true;
      await writer.close();
    },
  };
}

function checkBlob(directory: string, digest: string, bytes: Uint8Array): void {
  if (!isDigest(digest)) {
    throw new DurableError(
      'invalidArgument',
      `A digest has 64 lower-case hex digits, not ${JSON.stringify(digest)}.`,
    );
  }
  if (bytes.length <= MAX_BLOB_BYTES) return;
  const message = `${bytes.length} bytes are too many for the pack in ${directory}: the limit is ${MAX_BLOB_BYTES}.`;
  throw new DurableError('tooLong', message, { path: directory });
}

function isHintFor(hint: PackLocator | undefined, digest: string, length: number): hint is PackLocator {
  return isLocator(hint) && hint.digest === digest && hint.length === length;
}

function pick({ digest, segment, offset, length }: PackLocator): PackLocator {
  return { digest, segment, offset, length };
}

/** Places in the segments of others were on the disk when `put` returned them. */
function firstLost(writer: PackWriter, locators: readonly PackLocator[]): Segment | undefined {
  for (const { segment: name, offset, length } of locators) {
    const segment = writer.segment(name);
    if (segment !== undefined && segment.failure !== null && offset + length > segment.synced) return segment;
  }
  return undefined;
}

function checkSynced(writer: PackWriter, locators: readonly PackLocator[]): void {
  for (const { segment: name, offset, length } of locators) {
    const segment = writer.segment(name);
    if (segment === undefined || offset + length <= segment.synced) continue;
    throw new DurableError(
      'invalidArgument',
      `Nothing was put at ${offset} of ${name}: sync what put returned.`,
    );
  }
}

function syncError(directory: string, segment: Segment, known: boolean): DurableError {
  const path = join(directory, segment.name);
  const errno = errnoOf(segment.failure);
  const message = known
    ? `A sync of ${path} failed before, and what was put there may be lost: put it again, or open the pack again.`
    : `Could not sync ${path}: ${errno}. What was put there may be lost: put it again.`;
  return new DurableError(known ? 'sealed' : 'ioFailed', message, {
    path,
    cause: segment.failure,
    ...(errno === null ? {} : { errno }),
  });
}
