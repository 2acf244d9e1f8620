import { writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { DurableError } from './durable-error.ts';
import { errnoOf } from './errno.ts';

/**
 * Writes all of `bytes`, by as many calls as it takes.
 *
 * One write may take fewer bytes than asked and swallow the reason (a full disk, a quota, a file size limit): a
 * short count is the error, and the next call brings its code. So the count of each call is looked at, and a call
 * that takes nothing counts as a full disk.
 *
 * @param position where in the file, in bytes; without it, where the descriptor stands (its end, for appends)
 * @throws DurableError `ioFailed`, with `errno`. Part of the bytes may then be in the file.
 * @since 0.1.0
 */
export function writeAll(fd: number, bytes: Uint8Array, position?: number): void {
  let done = 0;
  while (done < bytes.length) {
    const written = writeOnce(fd, bytes, done, position === undefined ? null : position + done);
    if (written === 0) throw failed(bytes, done, 'ENOSPC');
    done += written;
  }
}

function writeOnce(fd: number, bytes: Uint8Array, done: number, position: number | null): number {
  try {
    return writeSync(fd, bytes, done, bytes.length - done, position);
  } catch (error) {
    // Any refusal: full disk, quota, size limit, broken disk. What was written stays; the caller decides about it.
    const errno = errnoOf(error);
    if (errno === null) throw error;
    throw failed(bytes, done, errno, error);
  }
}

function failed(bytes: Uint8Array, done: number, errno: string, cause?: unknown): DurableError {
  const message = `Only ${done} of ${bytes.length} bytes could be written: ${errno}. What was written is incomplete.`;
  return new DurableError('ioFailed', message, { errno, cause });
}

/** So much at a time keeps the event loop free: a write of 1 MiB to the page cache takes well under a millisecond. */
const SLICE = 1024 * 1024;

/** `writeAll` at the descriptor's own position, in slices, with a turn of the event loop between them. */
export async function writeSliced(fd: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; done += SLICE) {
    if (done > 0) await setImmediate();
    writeAll(fd, bytes.subarray(done, done + SLICE));
  }
}
