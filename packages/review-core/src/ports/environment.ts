/**
 * What the service takes from its surroundings. The default uses the clock and WebCrypto, and works in Node,
 * in workers and in browsers.
 *
 * @since 0.1.0
 */
export interface Environment {
  /** ISO 8601, UTC. */
  now(): string;
  /** A new UUID. */
  newId(): string;
  /** SHA-256, 64 lower-case hex digits. */
  digest(bytes: Uint8Array): Promise<string>;
}
