/**
 * What carries messages: one JSON text per message, whole, in order, both ways. The protocol asks nothing
 * else of it, so anything that moves strings can be one.
 *
 * @since 0.1.0
 */
export interface Transport {
  /** Hands over one message. Throws where it can't be sent any more; may queue before the first `open`. */
  send(message: string): void;
  /** Each message of the other side, as it came. Returns what ends it. */
  onMessage(listener: (message: string) => void): () => void;
  close(): void;
  /** Absent: `open`, until `close` is called. */
  readonly status?: TransportStatus;
  /** Called at each change, not at once. Absent: the transport can't tell when the other side goes. */
  onStatus?(listener: (status: 'open' | 'closed') => void): () => void;
}

/** `connecting` is only ever the first; a transport that reconnects goes `closed` → `open`. */
export type TransportStatus = 'connecting' | 'open' | 'closed';
