/**
 * Names bytes in a pack. Plain JSON; as a record it is input, so it is checked before use.
 *
 * @since 0.1.0
 */
export interface PackLocator {
  /** SHA-256 of the bytes, 64 lower-case hex digits. */
  digest: string;
  /** A file name in the directory of the pack. */
  segment: string;
  /** In bytes. */
  offset: number;
  length: number;
}

/** Of one blob, in bytes: what a reader allocates for a locator that somebody made up stays below this. */
export const MAX_BLOB_BYTES: number = 1024 * 1024 * 1024;

export function isDigest(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

export function isLocator(value: unknown): value is PackLocator {
  if (typeof value !== 'object' || value === null) return false;
  const { digest, segment, offset, length } = value as Record<string, unknown>;
  if (typeof segment !== 'string' || !/^pack-[0-9a-f]{16}-\d{4,9}\.bin$/.test(segment)) return false;
  return isDigest(digest) && isCount(offset) && isCount(length) && length <= MAX_BLOB_BYTES;
}

/** @param writer 16 hex digits */
export function segmentName(writer: string, number: number): string {
  return `pack-${writer}-${String(number).padStart(4, '0')}.bin`;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
