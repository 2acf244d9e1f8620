import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { ReviewError } from '@backstitch/review-core';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Role } from '../method.ts';
import { DEFAULT_MAX_MESSAGE_BYTES, type ReviewServer } from '../server.ts';
import { addressesOf, refuseUnaskedExposure } from './addresses.ts';
import { createToken, type DoorRules, isLawfulToken, judge, type Refusal, TOKEN_PROTOCOL } from './door.ts';
import { socketTransport } from './socket-transport.ts';

/**
 * Serves a `ReviewServer` over WebSockets. Refuses by default: see `door.ts` for what a request must have to
 * come in, and when it is answered 401, 403, 404 or 413.
 *
 * @since 0.1.0
 */
export interface ServeWebSocketOptions {
  server: ReviewServer;
  /**
   * Shares this server's port: only upgrades at `path` are taken. It must have been told to listen. Default:
   * a server of its own.
   */
  httpServer?: Server;
  /** Of an own server. Default: any free one. */
  port?: number;
  /**
   * Of an own server: where it listens. Of a shared one: named only to confirm an address that other machines
   * reach. Default `127.0.0.1`.
   */
  host?: string;
  /** Default `/`. */
  path?: string;
  /**
   * At least 22 characters of `A–Z a–z 0–9 . _ ~ -`: 128 bits in base64url. Default: a new one. Give the same
   * one after a restart, if open pages shall find their way back.
   */
  token?: string;
  /** More `Host` headers, as they are sent: with the port, unless it is the scheme's own. */
  allowedHosts?: readonly string[];
  /** More origins, such as `http://localhost:5173`; those of the allowed hosts are allowed anyway. */
  allowedOrigins?: readonly string[];
  /** See `ConnectOptions`. Default 1 MiB. */
  maxMessageBytes?: number;
  /** What may wait unread for one client before it is cut off. Default 64 MiB. */
  maxBufferedBytes?: number;
  /** What whoever has the token may do. Default `main`. */
  role?: Role;
}

export interface WebSocketEndpoint {
  /** `ws://…`, without the token. A client adds `?token=`, or sends `Authorization: Bearer`. */
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** Cuts off every client. Closes an own HTTP server; leaves a shared one as it was found. */
  close(): Promise<void>;
}

/** A message that is larger than a host takes is read up to here, so that it can be answered. */
const HARD_MESSAGE_BYTES = 64 * 1024 * 1024;
const DEFAULT_MAX_BUFFERED_BYTES = 64 * 1024 * 1024;

/** @throws ReviewError `invalidArgument`; the system's error where it can't listen */
export async function serveWebSocket(options: ServeWebSocketOptions): Promise<WebSocketEndpoint> {
  const { httpServer, path = '/', token = createToken() } = options;
  refuseUnlawful(path, token);
  const server = httpServer ?? createServer();
  await listening(server, options);
  if (httpServer !== undefined) refuseUnaskedExposure(server, options.host);
  const { allowedHosts = [], allowedOrigins = [] } = options;
  const { hosts, origins, port, url } = addressesOf(server, { path, allowedHosts, allowedOrigins });
  const rules: DoorRules = { hosts, origins, path, token };

  const sockets = acceptSockets(options);
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Covers a peer that resets while it is being answered: without a listener that would end the process.
    socket.on('error', () => socket.destroy());
    if (httpServer !== undefined && isForOthers(server, request, path)) return;
    const refusal = judge(request, rules);
    if (refusal === null) sockets.upgrade(request, socket, head);
    else refuseUpgrade(socket, refusal);
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void =>
    answerPlain(response, judge(request, rules));
  server.on('upgrade', onUpgrade);
  if (httpServer === undefined) server.on('request', onRequest);

  return {
    url,
    port,
    token,
    async close() {
      server.off('upgrade', onUpgrade);
      sockets.close();
      if (httpServer !== undefined || !server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function refuseUnlawful(path: string, token: string): void {
  if (!path.startsWith('/') || /[?#\s]/.test(path)) {
    throw new ReviewError(
      'invalidArgument',
      `serveWebSocket: the path must start with / and have no query: ${path}`,
    );
  }
  if (!isLawfulToken(token)) {
    throw new ReviewError(
      'invalidArgument',
      'serveWebSocket: the token must have 22 to 256 characters of A-Z a-z 0-9 . _ ~ -, which is 128 bits in base64url. Leave it out to get a new one.',
    );
  }
}

async function listening(server: Server, options: ServeWebSocketOptions): Promise<void> {
  if (options.httpServer === undefined) server.listen(options.port ?? 0, options.host ?? '127.0.0.1');
  // `once` rejects on `error`, such as a port that is taken.
  if (!server.listening || server.address() === null) await once(server, 'listening');
  // Covers what the system refuses later (no descriptors left for one more client): that client is lost, not we.
  if (options.httpServer === undefined) server.on('error', () => {});
}

/** The WebSockets themselves: one connection of the review server each. */
function acceptSockets({ server, role = 'main', ...options }: ServeWebSocketOptions) {
  const { maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES, maxBufferedBytes = DEFAULT_MAX_BUFFERED_BYTES } =
    options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: Math.max(HARD_MESSAGE_BYTES, 2 * maxMessageBytes),
    // A browser ends a connection that chose none of the offered protocols; the token is not repeated unasked.
    handleProtocols: (offered) =>
      [...offered].find((name) => !name.startsWith(TOKEN_PROTOCOL)) ?? [...offered][0] ?? false,
  });
  return {
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      sockets.handleUpgrade(request, socket, head, (client: WebSocket) => {
        server.connect(socketTransport(client, maxBufferedBytes), { role, maxMessageBytes });
      });
    },
    close(): void {
      for (const client of sockets.clients) client.close(1001);
      for (const client of sockets.clients) client.terminate();
      sockets.close();
    },
  };
}

/** On a shared port another listener (a dev server's own socket) may be waiting for this upgrade. */
function isForOthers(server: Server, request: IncomingMessage, path: string): boolean {
  return server.listenerCount('upgrade') > 1 && request.url?.split('?')[0] !== path;
}

function refuseUpgrade(socket: Duplex, { status, message }: Refusal): void {
  const body = `${message}\n`;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(status === 401 ? ['WWW-Authenticate: Bearer'] : []),
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** An own server has no pages: whatever isn't refused is told that this is a WebSocket. */
function answerPlain(response: ServerResponse, refusal: Refusal | null): void {
  const status = refusal?.status ?? 426;
  const headers = {
    Connection: 'close',
    'Content-Type': 'text/plain; charset=utf-8',
    ...(status === 426 ? { Upgrade: 'websocket' } : {}),
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
  };
  response
    .writeHead(status, headers)
    .end(`${refusal?.message ?? 'This is a WebSocket. Connect with one.'}\n`);
}
