/** The door for what a host asks: each member is checked before anything is opened or locked. */
import { ReviewError } from '../errors.ts';
import { OPERATIONS } from '../record/v1.ts';
import type { CaptureRequest } from './types.ts';

const MAX_ID_LENGTH = 512;

export function checkId(name: string, value: unknown): string {
  if (typeof value === 'string' && value.length > 0 && value.length <= MAX_ID_LENGTH) return value;
  throw new ReviewError(
    'invalidArgument',
    `'${name}' must be a text of 1 to ${MAX_ID_LENGTH} characters; it is ${describe(value)}.`,
  );
}

export function checkIds(name: string, value: unknown): string[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new ReviewError('invalidArgument', `'${name}' must be a list of at least one id.`);
  }
  return [...new Set(value.map((id, index) => checkId(`${name}[${index}]`, id)))];
}

export function checkCapture<T extends CaptureRequest>(request: T): T {
  for (const name of ['sessionId', 'messageId', 'callId', 'toolName'] as const) checkId(name, request[name]);
  if (request.rootCallId !== undefined) checkId('rootCallId', request.rootCallId);
  if (typeof request.path !== 'string' || request.path === '') {
    throw new ReviewError(
      'invalidArgument',
      `'path' must be a text that is not empty; it is ${describe(request.path)}.`,
    );
  }
  if (!OPERATIONS.includes(request.operation)) {
    throw new ReviewError(
      'invalidArgument',
      `'operation' must be one of ${OPERATIONS.join(', ')}; it is ${describe(request.operation)}.`,
      { path: request.path },
    );
  }
  if (request.round !== undefined) checkRound(request.round);
  if (request.agent) {
    checkId('agent.name', request.agent.name);
    checkId('agent.sessionId', request.agent.sessionId);
  }
  return request;
}

export function checkRound(round: unknown): { id: string; ordinal: number | null } {
  const { id, ordinal } = (round ?? {}) as { id?: unknown; ordinal?: unknown };
  checkId('round.id', id);
  if (ordinal !== null && !(Number.isSafeInteger(ordinal) && (ordinal as number) >= 0)) {
    throw new ReviewError(
      'invalidArgument',
      `'round.ordinal' must be a whole number or null; it is ${describe(ordinal)}.`,
    );
  }
  return { id: id as string, ordinal: ordinal as number | null };
}

function describe(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'empty' : `a text of ${value.length} characters`;
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : `of type ${typeof value}`;
}
