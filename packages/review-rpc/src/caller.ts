import type { CallOptions } from './calls.ts';
import { isObject, notificationText, requestText } from './envelope.ts';
import { localError, ReviewRpcError } from './rpc-error.ts';
import type { Transport } from './transport.ts';

interface Waiting {
  readonly method: string;
  resolve(result: unknown): void;
  reject(error: ReviewRpcError): void;
}

type NotificationListener = (method: string, params: Record<string, unknown>) => void;

/**
 * The calling side of a connection: numbers its calls, and settles each exactly once: by its answer, by its
 * signal, or because the connection went.
 */
export class Caller {
  readonly #transport: Transport;
  readonly #onNotification: NotificationListener;
  readonly #waiting = new Map<unknown, Waiting>();
  #lastId = 0;
  #ended = false;

  constructor(transport: Transport, onNotification: NotificationListener) {
    this.#transport = transport;
    this.#onNotification = onNotification;
  }

  call(method: string, params: object, { signal }: CallOptions = {}): Promise<unknown> {
    if (this.#ended) return Promise.reject(closed(method));
    if (signal?.aborted) return Promise.reject(cancelled(method));
    const id = ++this.#lastId;
    const promise = new Promise((resolve, reject) => this.#waiting.set(id, { method, resolve, reject }));
    if (!this.#trySend(requestText(id, method, params))) this.#take(id)?.reject(disconnected(method));
    return signal === undefined ? promise : this.#until(signal, id, promise);
  }

  /** Takes one message of the host. What is neither an answer nor a notification is passed over. */
  receive(text: string): void {
    const message = parse(text);
    if (message === null) return;
    if (typeof message.method === 'string') {
      if (isObject(message.params)) this.#onNotification(message.method, message.params);
    } else if (isObject(message.error)) this.#refused(message.id, readError(message.error));
    else if (Object.hasOwn(message, 'result')) this.#take(message.id)?.resolve(message.result);
  }

  /** Rejects every call that waits. */
  disconnect(): void {
    this.#rejectAll(disconnected);
  }

  /** Rejects every call that waits, and every later one. */
  end(): void {
    this.#ended = true;
    this.#rejectAll(closed);
  }

  async #until(signal: NonNullable<CallOptions['signal']>, id: number, promise: Promise<unknown>) {
    const onAbort = (): void => {
      const entry = this.#take(id);
      entry?.reject(cancelled(entry.method));
      this.#trySend(notificationText('$/cancelRequest', { id }));
    };
    signal.addEventListener('abort', onAbort);
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #refused(id: unknown, error: ErrorFacts): void {
    // Without an id the host couldn't read one of our calls and can't say which: none may wait for ever.
    if (id === null) this.#rejectAll((method) => new ReviewRpcError(error, method));
    else {
      const entry = this.#take(id);
      entry?.reject(new ReviewRpcError(error, entry.method));
    }
  }

  #rejectAll(errorFor: (method: string) => ReviewRpcError): void {
    for (const id of [...this.#waiting.keys()]) {
      const entry = this.#take(id);
      entry?.reject(errorFor(entry.method));
    }
  }

  #take(id: unknown): Waiting | undefined {
    const entry = this.#waiting.get(id);
    this.#waiting.delete(id);
    return entry;
  }

  /** False where the transport can't send just now. */
  #trySend(text: string): boolean {
    try {
      this.#transport.send(text);
      return true;
    } catch {
      // Covers a connection that is gone and not back yet: a transport has no other reason to throw.
      return false;
    }
  }
}

interface ErrorFacts {
  kind: string;
  code: number;
  message: string;
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && value.jsonrpc === '2.0' ? value : null;
  } catch {
    // Covers a host that isn't ours, or a stream cut in the middle. There is nobody to tell.
    return null;
  }
}

function readError(error: Record<string, unknown>): ErrorFacts {
  const kind = isObject(error.data) && typeof error.data.kind === 'string' ? error.data.kind : 'internal';
  return {
    kind,
    code: typeof error.code === 'number' ? error.code : 0,
    message: typeof error.message === 'string' ? error.message : 'The host gave no reason.',
  };
}

function cancelled(method: string): ReviewRpcError {
  return localError('cancelled', `${method}: cancelled by its signal.`, method);
}

function closed(method: string): ReviewRpcError {
  return localError('disconnected', `${method}: this client was closed. Make a new one.`, method);
}

function disconnected(method: string): ReviewRpcError {
  const message = `${method}: no connection to the host. Whether the call was carried out is not known; ask again when the connection is back, a change of state with the same requestId.`;
  return localError('disconnected', message, method);
}
