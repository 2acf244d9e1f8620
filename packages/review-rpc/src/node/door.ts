import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * Who may come in: decided from the head of the upgrade request alone, before there is a WebSocket and before
 * any handler runs. Closed unless every check passes:
 *
 * 1. `Host` names this machine's loopback with this port, or what the host allowed. Else 403: a page of any
 *    site can point its own name at 127.0.0.1 (DNS rebinding), but it can't change the name in `Host`.
 * 2. `Origin`, which every browser sends and no page can change, is this server's own, or what the host
 *    allowed. Else 403. A program that is no browser sends none; it goes on, and must have the token as well.
 * 3. The path is ours. Else 404.
 * 4. There is no body. Else 413.
 * 5. The token is right, compared in constant time. Else 401.
 */
export interface DoorRules {
  /** Lower case, as they stand in the `Host` header. */
  hosts: ReadonlySet<string>;
  origins: ReadonlySet<string>;
  path: string;
  token: string;
}

export interface Refusal {
  status: 401 | 403 | 404 | 413;
  message: string;
}

/** A client that can set no headers (a browser) may offer its token as the subprotocol of this name. */
export const TOKEN_PROTOCOL = 'backstitch.token.';

/** @returns null where the request may come in */
export function judge(request: IncomingMessage, rules: DoorRules): Refusal | null {
  const [path = '', query = ''] = splitOnce(request.url ?? '', '?');
  if (!hasLawfulHost(request, rules)) {
    return { status: 403, message: 'This Host is not allowed. Use the address that the host printed.' };
  }
  const { origin } = request.headers;
  if (origin !== undefined && !rules.origins.has(origin.toLowerCase())) {
    return { status: 403, message: 'Pages of this Origin are not allowed.' };
  }
  if (path !== rules.path) return { status: 404, message: 'There is nothing at this path.' };
  if (hasBody(request)) return { status: 413, message: 'The request must have no body.' };
  if (!hasToken(request, query, rules.token)) {
    return { status: 401, message: 'The token is missing or wrong. Use the address that the host printed.' };
  }
  return null;
}

function hasLawfulHost(request: IncomingMessage, { hosts }: DoorRules): boolean {
  const count = request.rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.toLowerCase() === 'host',
  ).length;
  return count === 1 && hosts.has((request.headers.host ?? '').toLowerCase());
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Every credential that is offered must be right, so that none can hide behind another. */
function hasToken(request: IncomingMessage, query: string, token: string): boolean {
  const offered = new URLSearchParams(query).getAll('token');
  const { authorization } = request.headers;
  if (authorization !== undefined) offered.push(authorization.replace(/^bearer +/i, ''));
  for (const protocol of (request.headers['sec-websocket-protocol'] ?? '').split(',')) {
    const name = protocol.trim();
    if (name.startsWith(TOKEN_PROTOCOL)) offered.push(name.slice(TOKEN_PROTOCOL.length));
  }
  return offered.length > 0 && offered.every((each) => isSame(each, token));
}

/** Compares digests: they have one length, so time tells neither the token nor how long it is. */
function isSame(left: string, right: string): boolean {
  const [a, b] = [left, right].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a as Buffer, b as Buffer);
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** 128 random bits, fit for a URL, a header and a subprotocol. */
export function createToken(): string {
  return randomBytes(16).toString('base64url');
}

/** Whether a host's own token can carry 128 bits and be written in each of the three places. */
export function isLawfulToken(token: string): boolean {
  return /^[A-Za-z0-9._~-]{22,256}$/.test(token);
}
