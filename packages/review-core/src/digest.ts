import { sha256 } from './platform.ts';
import { toHex } from './text/hex.ts';

/**
 * The SHA-256 of raw bytes, as 64 lower-case hex digits.
 *
 * @since 0.1.0
 */
export async function digest(bytes: Uint8Array): Promise<string> {
  return toHex(await sha256(bytes));
}
