/**
 * What every supported runtime has (browsers, workers, Node, Deno, Bun) and `lib: es2023` doesn't name.
 * Read when used, never at load.
 */
interface Platform {
  crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };
  setTimeout(callback: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
  TextEncoder: new () => { encode(text: string): Uint8Array };
}

export const platform: Platform = globalThis as unknown as Platform;

/** 128 random bits as hex. Not `crypto.randomUUID`, which pages without TLS don't have. */
export function randomId(): string {
  const bytes = platform.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether `text` has more than `limit` bytes as UTF-8; encodes only where its length can't tell. */
export function exceedsBytes(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  if (text.length * 3 <= limit) return false;
  return new platform.TextEncoder().encode(text).length > limit;
}
