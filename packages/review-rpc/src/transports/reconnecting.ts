import { createListeners } from '../listeners.ts';
import { platform } from '../platform.ts';
import type { Transport, TransportStatus } from '../transport.ts';

export interface ReconnectOptions {
  /** Milliseconds before the first new try; doubled after each failed one. Default 250. */
  minDelay?: number;
  /** Milliseconds that the wait never exceeds. Default 10 000. */
  maxDelay?: number;
}

/**
 * A transport that outlives its connection: when one ends, it opens the next, after a wait that grows (and is
 * spread at random, so that many pages don't knock at once). Nothing is sent twice: what waited for an answer
 * is lost with its connection, and the client rejects it; on `open` the client tells its subscribers to ask
 * again.
 *
 * ```ts
 * createReviewClient(createReconnectingTransport(() => webSocketTransport(new WebSocket(url))));
 * ```
 *
 * @param connect opens one connection; where the first call throws, so does this function
 * @since 0.1.0
 */
export function createReconnectingTransport(
  connect: () => Transport,
  options: ReconnectOptions = {},
): Transport {
  return new ReconnectingTransport(connect, options);
}

class ReconnectingTransport implements Transport {
  readonly #connect: () => Transport;
  readonly #minDelay: number;
  readonly #maxDelay: number;
  readonly #messages = createListeners<string>();
  readonly #statuses = createListeners<'open' | 'closed'>();
  #current: Transport | null = null;
  #status: TransportStatus = 'connecting';
  #failures = 0;
  #timer: unknown = null;

  constructor(connect: () => Transport, { minDelay = 250, maxDelay = 10_000 }: ReconnectOptions) {
    this.#connect = connect;
    this.#minDelay = minDelay;
    this.#maxDelay = maxDelay;
    this.#attach();
  }

  get status(): TransportStatus {
    return this.#status;
  }

  send(message: string): void {
    if (this.#status === 'closed' || this.#current === null)
      throw new Error('There is no connection just now.');
    this.#current.send(message);
  }

  onMessage(listener: (message: string) => void): () => void {
    return this.#messages.add(listener);
  }

  onStatus(listener: (status: 'open' | 'closed') => void): () => void {
    return this.#statuses.add(listener);
  }

  close(): void {
    platform.clearTimeout(this.#timer);
    const last = this.#current;
    this.#current = null;
    last?.close();
    this.#become('closed');
  }

  #attach(): void {
    const transport = this.#connect();
    this.#current = transport;
    transport.onMessage((message) => {
      if (this.#current === transport) this.#messages.emit(message);
    });
    const follow = (status: TransportStatus): void => {
      if (this.#current !== transport) return;
      if (status === 'open') this.#opened();
      else if (status === 'closed') this.#lost();
    };
    transport.onStatus?.(follow);
    follow(transport.status ?? 'open');
  }

  #opened(): void {
    this.#failures = 0;
    this.#become('open');
  }

  #lost(): void {
    this.#current = null;
    this.#timer = platform.setTimeout(() => this.#retry(), this.#nextDelay());
    this.#become('closed');
  }

  #retry(): void {
    try {
      this.#attach();
    } catch {
      // Covers a connection that can't even be started just now (no sockets left): one more failed try.
      this.#lost();
    }
  }

  #nextDelay(): number {
    const ceiling = Math.min(this.#maxDelay, this.#minDelay * 2 ** this.#failures);
    this.#failures += 1;
    return ceiling * (0.5 + Math.random() / 2);
  }

  #become(status: 'open' | 'closed'): void {
    if (this.#status === status) return;
    this.#status = status;
    this.#statuses.emit(status);
  }
}
