import type { ReviewService } from '@backstitch/review-core';
import type { CHANGED, MethodName } from './calls.ts';
import type { Connection } from './connection.ts';
import { ROLES, type Role } from './method.ts';
import { localError } from './rpc-error.ts';
import type { Transport } from './transport.ts';

/**
 * The serving side. This file is only the door: what serves (`connection.ts`, the schemas, zod) is loaded when
 * a server is made, so that a program that only calls never loads it. Messages that come meanwhile wait.
 */

/** Bytes of UTF-8 that one message to the host may have, unless the host says otherwise. */
export const DEFAULT_MAX_MESSAGE_BYTES: number = 1024 * 1024;

export interface AuthorizeRequest {
  /** A method, or `review.changed`: whether this connection may hear of that event. */
  method: MethodName | typeof CHANGED;
  params: Readonly<Record<string, unknown>>;
  role: Role;
}

export interface ReviewServerOptions {
  service: ReviewService;
  /**
   * Asked before each call, after its params were found lawful, and before each event. Anything but `true`
   * refuses, and so does a throw: a call is answered 1005, an event is not sent. Default: what the role allows.
   */
  authorize?: (request: AuthorizeRequest) => boolean | Promise<boolean>;
  /** Told of what the peer isn't: defects behind an answer of −32603, and callbacks that threw. */
  onError?: (error: unknown) => void;
}

export interface ConnectOptions {
  /** What this connection may do. The host decides it; no message can change it. */
  role: Role;
  /** Default 1 MiB. A larger message is answered with an error; the connection lives. */
  maxMessageBytes?: number;
}

export interface ServerConnection {
  /** Ends the connection and closes its transport. Calls that have begun are carried out unheard. */
  close(): void;
}

export interface ReviewServer {
  /** Serves one client until either side closes. Any number may be connected at once. */
  connect(transport: Transport, options: ConnectOptions): ServerConnection;
}

/** @since 0.1.0 */
export function createReviewServer(options: ReviewServerOptions): ReviewServer {
  const { service, authorize } = options;
  const onError = reporter(options.onError);
  const engine = import('./connection.ts');
  // Each connection reports a failed load; here it only must not end the process before one is made.
  engine.catch(() => {});

  function connect(transport: Transport, connectOptions: ConnectOptions): ServerConnection {
    const { role, maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES } = connectOptions;
    refuseUnknownRole(role);
    const link = createLink(transport, onError);
    const connection = engine.then(
      (loaded) =>
        new loaded.Connection({ service, authorize, onError, role, maxMessageBytes, send: link.send }),
    );
    connection.catch((error: unknown) => {
      // Covers an installation without zod, or a chunk that can't be fetched.
      onError(error);
      link.close();
    });
    const pass = (use: (to: Connection) => void): void => void connection.then(use, () => {});
    link.onEnd(service.subscribe((event) => pass((to) => to.changed(event))));
    link.onEnd(transport.onMessage((text) => pass((to) => to.receive(text))));
    link.onEnd(() => pass((to) => to.end()));
    return { close: link.close };
  }

  return { connect };
}

function refuseUnknownRole(role: string): void {
  if (Object.hasOwn(ROLES, role)) return;
  const message = `connect: the role must be 'main' or 'viewer', not ${String(role)}.`;
  throw localError('invalidArgument', message, 'connect');
}

/** A log that throws must not take an answer with it. */
function reporter(onError: ReviewServerOptions['onError']): (error: unknown) => void {
  return (error) => {
    try {
      onError?.(error);
    } catch {
      // Covers a defect in the host's callback; there is nobody left to tell.
    }
  };
}

interface Link {
  /** Never throws. */
  send(text: string): void;
  close(): void;
  onEnd(ending: () => void): void;
}

/** The transport with one end to its life: whoever ends it first, what hangs on it is let go once. */
function createLink(transport: Transport, onError: (error: unknown) => void): Link {
  const endings: (() => void)[] = [];
  let ended = false;

  function end(): void {
    if (ended) return;
    ended = true;
    for (const ending of endings) ending();
  }

  function close(): void {
    end();
    transport.close();
  }

  function send(text: string): void {
    if (ended) return;
    try {
      transport.send(text);
    } catch (error) {
      // Covers a client that vanished before its transport could tell, and one that was cut off.
      onError(error);
      close();
    }
  }

  const offStatus = transport.onStatus?.((status) => {
    if (status === 'closed') end();
  });
  endings.push(() => offStatus?.());
  return { send, close, onEnd: (ending) => void endings.push(ending) };
}
