import { createListeners } from '../listeners.ts';
import type { Transport, TransportStatus } from '../transport.ts';

/** The part of the standard `WebSocket` that is used; browsers, workers, Deno, Node 22 and `ws` have it. */
export interface WebSocketLike {
  readonly readyState: number;
  send(data: string): void;
  close(): void;
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: unknown) => void): void;
}

const CONNECTING = 0;
const OPEN = 1;

/**
 * A transport over a socket that somebody opened. What is sent while it is still connecting is sent when it
 * is open. It ends with the socket; see `createReconnectingTransport` for one that outlives it.
 *
 * @since 0.1.0
 */
export function webSocketTransport(socket: WebSocketLike): Transport {
  const messages = createListeners<string>();
  const statuses = createListeners<'open' | 'closed'>();
  let queue: string[] = [];
  let ended = false;

  function end(): void {
    if (ended) return;
    ended = true;
    queue = [];
    statuses.emit('closed');
  }

  function status(): TransportStatus {
    if (ended) return 'closed';
    if (socket.readyState === CONNECTING) return 'connecting';
    return socket.readyState === OPEN ? 'open' : 'closed';
  }

  socket.addEventListener('open', () => {
    for (const message of queue.splice(0)) socket.send(message);
    statuses.emit('open');
  });
  socket.addEventListener('message', (event) => {
    const { data } = event as { data: unknown };
    if (typeof data === 'string' && !ended) messages.emit(data);
  });
  socket.addEventListener('close', end);
  // `close` follows. Listened to since `ws` throws on an `error` that nobody hears.
  socket.addEventListener('error', () => {});

  return {
    send(message) {
      const now = status();
      if (now === 'closed') throw new Error('The WebSocket is closed.');
      if (now === 'connecting') queue.push(message);
      else socket.send(message);
    },
    onMessage: messages.add,
    onStatus: statuses.add,
    get status() {
      return status();
    },
    close() {
      socket.close();
      end();
    },
  };
}
