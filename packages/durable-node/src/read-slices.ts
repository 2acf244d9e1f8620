import type { Hash } from 'node:crypto';
import { readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

const SLICE = 256 * 1024;
const TURN_EVERY = 1024 * 1024;

export interface SlicesToRead {
  /** Where to begin, in bytes. */
  position: number;
  /** How much to read at most. */
  length: number;
  /** Where the bytes go, `length` of them; null: only the hash gets them. */
  into: Uint8Array | null;
  hash: Hash;
}

/**
 * Reads and hashes a part of a file, in slices, with a turn of the event loop after each MiB (hashing 16 MiB at once
 * would block it for 12 ms). Returns how much there was.
 */
export async function readSlices(
  fd: number,
  { position, length, into, hash }: SlicesToRead,
): Promise<number> {
  const slice = into ?? new Uint8Array(Math.min(SLICE, length));
  let total = 0;
  let sinceTurn = 0;
  while (total < length) {
    const at = into === null ? 0 : total;
    const count = readSync(fd, slice, at, Math.min(SLICE, length - total), position + total);
    if (count === 0) break;
    hash.update(slice.subarray(at, at + count));
    total += count;
    sinceTurn += count;
    if (sinceTurn >= TURN_EVERY) {
      sinceTurn = 0;
      await setImmediate();
    }
  }
  return total;
}
