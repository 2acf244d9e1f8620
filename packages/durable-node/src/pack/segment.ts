import { closeSync, constants, fchmodSync, fstatSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Durability } from '../durability.ts';
import { DurableError } from '../durable-error.ts';
import { errnoOf, ioError } from '../errno.ts';
import { syncData, syncDirectory } from '../sync.ts';
import { writeSliced } from '../write-all.ts';
import { sealMarkPath } from './blob.ts';

/** One file that this process alone appends to. */
export interface Segment {
  readonly name: string;
  /** Up to here whole blobs were written. */
  readonly written: number;
  /** Up to here they were seen to be on the disk. */
  readonly synced: number;
  /** Whether all that was written is on the disk, and the name too. */
  readonly clean: boolean;
  /** Why nothing of it may be relied on beyond `synced`, and nothing added; null while all is well. */
  readonly failure: unknown;
  /** Returns the offset. One call at a time. */
  append(bytes: Uint8Array): Promise<number>;
  /** Never throws: a failure seals the segment. */
  sync(): Promise<void>;
  /** Once is enough, more do nothing. */
  close(): void;
}

const FLAGS: number = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL;

export function createSegment(directory: string, name: string, durability: Durability): Segment {
  const path = join(directory, name);
  const fd = create(path);
  let written = 0;
  let synced = 0;
  let named = false;
  let failure: unknown = null;
  let open = true;

  async function syncAll(): Promise<void> {
    if (durability !== 'none') await syncData(fd);
    if (!named) await syncDirectory(directory, durability);
    named = true;
  }

  return {
    name,
    get written() {
      return written;
    },
    get synced() {
      return synced;
    },
    get clean() {
      return synced === written && named;
    },
    get failure() {
      return failure;
    },
    async append(bytes) {
      // From the file, not from a count of our own: a write that was cut short left bytes behind.
      const offset = fstatSync(fd).size;
      try {
        await writeSliced(fd, bytes);
      } catch (error) {
        throw ioError('append to', path, error);
      }
      written = offset + bytes.length;
      if (fstatSync(fd).size !== written) throw notAlone(path);
      return offset;
    },
    async sync() {
      const target = written;
      if (failure !== null || (synced === target && named)) return;
      try {
        await syncAll();
        synced = target;
      } catch (error) {
        // EIO, ENOSPC, EDQUOT: what was not synced before may be gone, and no later sync would say so.
        failure = error;
        markSealed(directory, name);
      }
    },
    close() {
      if (open) closeSync(fd);
      open = false;
    },
  };
}

function create(path: string): number {
  try {
    const fd = openSync(path, FLAGS, 0o600);
    if (process.platform !== 'win32') fchmodSync(fd, 0o600);
    return fd;
  } catch (error) {
    throw ioError('make the pack segment', path, error);
  }
}

/** Tells other processes. They look at it before they reuse anything of this segment. */
function markSealed(directory: string, name: string): void {
  try {
    writeFileSync(sealMarkPath(directory, name), '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // The disk is failing already; this process knows it without the mark.
    if (errnoOf(error) === null) throw error;
  }
}

function notAlone(path: string): DurableError {
  return new DurableError(
    'ioFailed',
    `Another program writes to the pack segment ${path}, which is ours alone.`,
    {
      path,
      errno: 'EIO',
    },
  );
}
