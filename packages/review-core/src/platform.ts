/**
 * What the package takes from the platform beside the language: in Node, in workers and in browsers alike.
 * It is declared here, and nowhere else, since the package is compiled without the types of any platform.
 */
interface Utf8Decoder {
  decode(bytes: Uint8Array): string;
}
interface Utf8Encoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
}
declare const TextDecoder: new (
  label: 'utf-8',
  options: { fatal: boolean; ignoreBOM: boolean },
) => Utf8Decoder;
declare const TextEncoder: new () => Utf8Encoder;
declare const crypto: {
  readonly subtle: { digest(algorithm: 'SHA-256', bytes: Uint8Array): Promise<ArrayBuffer> };
  randomUUID(): string;
};

/** A byte order mark is content. Throws a `TypeError` on bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

export async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

export function randomUuid(): string {
  return crypto.randomUUID();
}
