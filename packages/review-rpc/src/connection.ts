import type { ReviewEvent, ReviewService } from '@backstitch/review-core';
import { admit, methodsOf, type ServedMethod } from './admit.ts';
import { CHANGED } from './calls.ts';
import {
  type CallId,
  errorText,
  isCallId,
  notificationText,
  readIncoming,
  resultText,
  wireError,
} from './envelope.ts';
import type { MethodHost, Role } from './method.ts';
import { exceedsBytes } from './platform.ts';
import { answerFor, Refusal } from './refusal.ts';
import type { AuthorizeRequest, ReviewServerOptions } from './server.ts';

export interface ConnectionOptions {
  service: ReviewService;
  authorize: ReviewServerOptions['authorize'];
  onError: (error: unknown) => void;
  role: Role;
  maxMessageBytes: number;
  /** Never throws. */
  send: (text: string) => void;
}

/** Calls of one connection that may run at once: bounds what a client that never reads can make us hold. */
const MAX_RUNNING = 256;

interface Call {
  readonly id: CallId;
  readonly name: string;
  readonly params: Record<string, unknown>;
  /** False once it changes state: then it is carried out. */
  cancellable: boolean;
}

/**
 * One client's connection, as the host serves it.
 *
 * Calls start in the order in which they came and run side by side; each is answered exactly once. A call
 * passes these gates, and the first that it fails answers it: size, JSON, envelope, a free id, the number of
 * calls that run, the method's name, the role, the params' schema, the host's `authorize`.
 *
 * Failure: nothing that a peer sends throws out of here. What the service throws is answered: a `ReviewError`
 * with its own message, anything else with a fixed one, and told to `onError`.
 *
 * A call that the service has begun can't be taken back: one that was cancelled, or whose client left, counts
 * as running until the service is done with it.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #host: MethodHost;
  /** Those that still wait for their answer. */
  readonly #calls = new Map<CallId, Call>();
  #running = 0;
  #ended = false;

  constructor(options: ConnectionOptions) {
    const { service, role, maxMessageBytes } = options;
    this.#options = options;
    this.#host = { service, role, maxMessageBytes, methods: methodsOf(role) };
  }

  receive(text: string): void {
    if (this.#ended) return;
    const { maxMessageBytes, send } = this.#options;
    if (exceedsBytes(text, maxMessageBytes)) {
      const message = `The message is larger than the ${maxMessageBytes} bytes that this host takes. It was not read.`;
      send(errorText(null, wireError('messageTooLarge', message)));
      return;
    }
    const incoming = readIncoming(text);
    if (incoming.type === 'refused') send(errorText(incoming.id, incoming.error));
    else if (incoming.type === 'request') this.#begin({ ...incoming, cancellable: true });
    // Of notifications there is one: a method without an id isn't carried out, since nobody would hear of it.
    else if (incoming.type === 'notification' && incoming.name === '$/cancelRequest') {
      this.#cancel(incoming.params.id);
    }
  }

  changed({ sessionId, revision, snapshotIds }: ReviewEvent): void {
    const { authorize, send } = this.#options;
    const params = { sessionId, revision, snapshotIds };
    if (authorize === undefined) send(notificationText(CHANGED, params));
    else {
      void this.#allowed(CHANGED, params).then((yes) => {
        if (yes) send(notificationText(CHANGED, params));
      });
    }
  }

  /** Nobody listens any more. */
  end(): void {
    this.#ended = true;
    this.#calls.clear();
  }

  #begin(call: Call): void {
    const { send } = this.#options;
    if (this.#calls.has(call.id)) {
      // Without the id: with it, the client would take this for the answer of the call that runs.
      send(errorText(null, wireError('invalidRequest', 'The id is that of a call that still runs.')));
      return;
    }
    if (this.#running >= MAX_RUNNING) {
      const message = `${MAX_RUNNING} calls run already. Wait for an answer.`;
      send(errorText(call.id, wireError('tooManyCalls', message)));
      return;
    }
    this.#calls.set(call.id, call);
    this.#running += 1;
    void this.#carryOut(call)
      .then((result) => resultText(call.id, result))
      .catch((error: unknown) => this.#failed(call, error))
      .then((text) => this.#finish(call, text));
  }

  /** Runs up to the service in one go where nothing is asked, so that calls start in the order they came. */
  async #carryOut(call: Call): Promise<unknown> {
    const method = admit(this.#options.role, call.name, call.params);
    if (this.#options.authorize === undefined) return this.#run(method, call);
    const allowed = await this.#allowed(method.name, call.params);
    if (!allowed) throw new Refusal('notAllowed', `${call.name} was refused by the host.`);
    if (!this.#waits(call)) throw new Refusal('cancelled', `${call.name} was cancelled.`);
    return this.#run(method, call);
  }

  #run(method: ServedMethod, call: Call): Promise<unknown> {
    call.cancellable = method.capability === 'read';
    return method.run(this.#host, call.params as never);
  }

  #failed(call: Call, error: unknown): string {
    const answer = answerFor(error);
    if (answer !== null) return errorText(call.id, answer);
    this.#options.onError(error);
    const message = 'The host failed while it carried out the call. Its own log says why.';
    return errorText(call.id, wireError('internal', message));
  }

  #finish(call: Call, text: string): void {
    this.#running -= 1;
    if (!this.#waits(call)) return;
    this.#calls.delete(call.id);
    this.#options.send(text);
  }

  #cancel(id: unknown): void {
    const call = isCallId(id) ? this.#calls.get(id) : undefined;
    if (call === undefined || !call.cancellable) return;
    this.#calls.delete(call.id);
    this.#options.send(errorText(call.id, wireError('cancelled', 'Cancelled, as asked.')));
  }

  #waits(call: Call): boolean {
    return this.#calls.get(call.id) === call;
  }

  async #allowed(method: AuthorizeRequest['method'], params: object): Promise<boolean> {
    const { authorize, role, onError } = this.#options;
    try {
      return (await authorize?.({ method, params: Object.freeze({ ...params }), role })) === true;
    } catch (error) {
      // Covers a defect in the host's callback. A doubt refuses.
      onError(error);
      return false;
    }
  }
}
