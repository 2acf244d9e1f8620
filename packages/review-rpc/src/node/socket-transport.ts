import type { RawData, WebSocket } from 'ws';
import { createListeners } from '../listeners.ts';
import type { Transport } from '../transport.ts';

/**
 * The server's end of one WebSocket. A client that doesn't read makes answers pile up in this process: once
 * more than `maxBufferedBytes` wait for it, it is cut off; it can connect again and ask again. What waited
 * before counts, not the message itself, so one large answer always gets through to a client that reads.
 */
export function socketTransport(socket: WebSocket, maxBufferedBytes: number): Transport {
  const messages = createListeners<string>();
  const statuses = createListeners<'open' | 'closed'>();

  socket.on('message', (data: RawData, isBinary: boolean) => {
    // A binary frame carries no JSON text; handed on as none, it is answered as any other malformed message.
    messages.emit(isBinary ? '' : data.toString());
  });
  socket.on('close', () => statuses.emit('closed'));
  // Covers a reset, a frame that is no WebSocket frame, and one over the hard limit: `close` follows.
  socket.on('error', () => {});

  return {
    send(message) {
      if (socket.readyState !== socket.OPEN) throw new Error('The WebSocket is closed.');
      if (socket.bufferedAmount > maxBufferedBytes) {
        socket.terminate();
        throw new Error(`The client left more than ${maxBufferedBytes} bytes unread and was cut off.`);
      }
      socket.send(message, () => {
        // A failed write is followed by `close`, which ends the connection.
      });
    },
    onMessage: messages.add,
    onStatus: statuses.add,
    get status() {
      return socket.readyState === socket.OPEN ? 'open' : 'closed';
    },
    close() {
      socket.close(1001);
    },
  };
}
