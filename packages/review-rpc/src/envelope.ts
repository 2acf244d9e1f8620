import { RPC_ERROR_CODES, type RpcErrorKind } from './error-codes.ts';

/**
 * JSON-RPC 2.0 envelopes, read strictly and written in one place. What this protocol leaves out of JSON-RPC:
 * batches, params by position, null and fractional ids.
 */

export type CallId = string | number;

export interface WireError {
  code: number;
  message: string;
  data: { kind: string };
}

/** A message of the client, as a server sees it. */
export type Incoming =
  | { type: 'request'; id: CallId; name: string; params: Record<string, unknown> }
  | { type: 'notification'; name: string; params: Record<string, unknown> }
  /** Well-formed, but answers nothing that we asked: to answer it could start a loop of two servers. */
  | { type: 'response' }
  | { type: 'refused'; id: CallId | null; error: WireError };

const MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params']);
const MAX_ID_LENGTH = 128;

/** @param text at most of the size that the connection takes; its nesting doesn't matter */
export function readIncoming(text: string): Incoming {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Covers a peer that sends anything but JSON; `JSON.parse` throws nothing else on a string.
    return refused(null, 'parseError', 'The message is not JSON. Send one JSON-RPC 2.0 request per message.');
  }
  if (Array.isArray(value))
    return refused(null, 'invalidRequest', 'Batches are not served. Send one request per message.');
  if (!isObject(value)) return refused(null, 'invalidRequest', 'The message is not a JSON object.');
  return readEnvelope(value);
}

function readEnvelope(value: Record<string, unknown>): Incoming {
  if (isResponse(value)) return { type: 'response' };
  const hasId = Object.hasOwn(value, 'id');
  const id = isCallId(value.id) ? value.id : null;
  const wrong = (what: string): Incoming =>
    refused(id, 'invalidRequest', `Not a JSON-RPC 2.0 request: ${what}.`);
  if (value.jsonrpc !== '2.0') return wrong('`jsonrpc` must be "2.0"');
  if (hasId && id === null)
    return wrong(`\`id\` must be an integer, or a string of at most ${MAX_ID_LENGTH} characters`);
  if (typeof value.method !== 'string') return wrong('`method` must be a string');
  if (Object.keys(value).some((key) => !MEMBERS.has(key)))
    return wrong('it has a member that JSON-RPC does not know');
  const params = Object.hasOwn(value, 'params') ? value.params : {};
  if (Array.isArray(params)) return refused(id, 'invalidParams', 'Params go by name. Send an object.');
  if (!isObject(params)) return wrong('`params` must be an object');
  return id === null
    ? { type: 'notification', name: value.method, params }
    : { type: 'request', id, name: value.method, params };
}

function isResponse(value: Record<string, unknown>): boolean {
  const answers = Object.hasOwn(value, 'result') !== Object.hasOwn(value, 'error');
  return value.jsonrpc === '2.0' && answers && Object.hasOwn(value, 'id') && !Object.hasOwn(value, 'method');
}

function refused(id: CallId | null, kind: RpcErrorKind, message: string): Incoming {
  return { type: 'refused', id, error: wireError(kind, message) };
}

export function wireError(kind: RpcErrorKind, message: string): WireError {
  return { code: RPC_ERROR_CODES[kind], message, data: { kind } };
}

export function isCallId(value: unknown): value is CallId {
  return typeof value === 'string' ? value.length <= MAX_ID_LENGTH : Number.isSafeInteger(value);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function requestText(id: CallId, method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

export function notificationText(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

export function resultText(id: CallId, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: result ?? null });
}

export function errorText(id: CallId | null, error: WireError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}
