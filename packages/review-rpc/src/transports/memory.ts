import { createListeners, type Listeners } from '../listeners.ts';
import type { Transport } from '../transport.ts';

interface End {
  messages: Listeners<string>;
  statuses: Listeners<'open' | 'closed'>;
}

/**
 * Two ends of one connection inside a process: what one sends, the other gets, in order, in a later
 * microtask, as over any other transport. Closing either closes both.
 *
 * @since 0.1.0
 */
export function createMemoryTransportPair(): [Transport, Transport] {
  const line = { open: true };
  const [left, right] = [createEnd(), createEnd()];
  const close = (): void => {
    if (!line.open) return;
    line.open = false;
    for (const end of [left, right]) end.statuses.emit('closed');
  };
  return [createTransport(line, left, right, close), createTransport(line, right, left, close)];
}

function createEnd(): End {
  return { messages: createListeners(), statuses: createListeners() };
}

function createTransport(line: { open: boolean }, own: End, other: End, close: () => void): Transport {
  return {
    send(message) {
      if (!line.open) throw new Error('The memory transport is closed.');
      void Promise.resolve().then(() => {
        if (line.open) other.messages.emit(message);
      });
    },
    onMessage: own.messages.add,
    onStatus: own.statuses.add,
    get status() {
      return line.open ? 'open' : 'closed';
    },
    close,
  };
}
