import type { ReviewEvent } from '@backstitch/review-core';
import { Caller } from './caller.ts';
import { type CallOptions, CHANGED, type ReviewCalls } from './calls.ts';
import { createListeners } from './listeners.ts';
import { randomId } from './platform.ts';
import * as registry from './registry.ts';
import type { Transport, TransportStatus } from './transport.ts';

/**
 * The review methods, as promises. A call that could not be carried out rejects with a `ReviewRpcError`;
 * everything that can lawfully happen is in the result.
 *
 * `keep`, `unkeep` and `rollback` get a `requestId` where the caller gives none. Give one to ask again after
 * a connection broke: the same id with the same params gives the first outcome, and does nothing twice.
 *
 * @since 0.1.0
 */
export interface ReviewClient extends ReviewCalls {
  /**
   * Calls back when changes of a session differ; then ask again. `snapshotIds` is empty where it can't be
   * told which: so after a reconnect, for every session that this client asked about.
   */
  subscribe(listener: (event: ReviewEvent) => void): () => void;
  readonly status: TransportStatus;
  /** Called at each change of the connection, not at once. */
  onStatus(listener: (status: 'open' | 'closed') => void): () => void;
  /** Closes the transport and rejects what waits. */
  close(): void;
}

type Method = (typeof registry)[keyof typeof registry];

export function createReviewClient(transport: Transport): ReviewClient {
  const events = createListeners<ReviewEvent>();
  const statuses = createListeners<'open' | 'closed'>();
  const sessions = new Set<string>();
  let missedEvents = transport.status === 'closed';
  let closed = false;

  const caller = new Caller(transport, (method, params) => {
    if (method === CHANGED && isEvent(params)) events.emit(params);
  });

  function onStatus(status: 'open' | 'closed'): void {
    if (status === 'closed') caller.disconnect();
    statuses.emit(status);
    if (status === 'open' && missedEvents) {
      for (const sessionId of sessions) events.emit({ sessionId, revision: null, snapshotIds: [] });
    }
    missedEvents = status === 'closed';
  }

  function call(method: Method, params: object = {}, options?: CallOptions): Promise<unknown> {
    const { sessionId } = params as { sessionId?: unknown };
    if (typeof sessionId === 'string') sessions.add(sessionId);
    const named = method.capability === 'review' ? withRequestId(params) : params;
    return caller.call(method.name, named, options);
  }

  const offMessages = transport.onMessage((text) => caller.receive(text));
  const offStatus = transport.onStatus?.(onStatus);

  function close(): void {
    if (closed) return;
    const wasClosed = transport.status === 'closed';
    closed = true;
    offMessages();
    offStatus?.();
    transport.close();
    caller.end();
    if (!wasClosed) statuses.emit('closed');
  }

  return {
    ...callsBy(call),
    subscribe: events.add,
    get status() {
      return closed ? 'closed' : (transport.status ?? 'open');
    },
    onStatus: statuses.add,
    close,
  };
}

/** One function for each method of the registry, by its name there. */
function callsBy(
  call: (method: Method, params?: object, options?: CallOptions) => Promise<unknown>,
): ReviewCalls {
  const entries = Object.entries(registry).map(([key, method]) => [
    key,
    (params?: object, options?: CallOptions) => call(method, params, options),
  ]);
  return Object.fromEntries(entries) as ReviewCalls;
}

function withRequestId(params: { requestId?: unknown }): object {
  return params.requestId === undefined ? { ...params, requestId: randomId() } : params;
}

function isEvent(value: object): value is ReviewEvent {
  const { sessionId, snapshotIds } = value as Partial<ReviewEvent>;
  return (
    typeof sessionId === 'string' &&
    Array.isArray(snapshotIds) &&
    snapshotIds.every((id) => typeof id === 'string')
  );
}
