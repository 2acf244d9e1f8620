/// <reference lib="es2024.string" />
import { CHANGE_STATES, type ChangeState, ReviewError } from '@backstitch/review-core';
import { lastIndexOfAscii } from './ascii.ts';

/**
 * The lines of a transcript: what each may be, what makes it good, and how a state line is written.
 *
 * A line is a JSON object with a string `type`. `message` and `tool` lines have a string `id` and may own
 * snapshots; `tool_review_state` is written by this package alone; every other type is the host's, kept and
 * passed through.
 *
 * @since 0.1.0
 */

export const STATE_LINE_TYPE = 'tool_review_state';
export const STATE_LINE_VERSION = 1;

/** A line of the host, as parsed. Members beside `type` and `id` are the host's own. */
export interface HostLine {
  type: string;
  id?: string;
  [member: string]: unknown;
}

/** What reading adds to a line: where it lies, and the latest state of each snapshot of its id. */
export interface ItemReview {
  /** The number of good lines that are no state lines before it. */
  ordinal: number;
  /** Bytes. */
  offset: number;
  length: number;
  /** By snapshot id; no prototype, so that every id is safe as a key. Empty where there is no state line. */
  states: Record<string, ChangeState>;
}

/** A line of the host with the review state laid over it, under the one member `review`. */
export type TranscriptItem = HostLine & { review: ItemReview };

/** SHA-256, lower-case hex; a string is hashed as UTF-8. Given by the runtime's own entry. */
export type Hash = (data: Uint8Array | string) => string;

/** `shape`: no object with a type, or a state line that lacks members. */
export type LineDamage = 'shape' | 'check' | 'unknownState';

export type ClassifiedLine =
  | { kind: 'item'; type: string; id: string | null }
  | { kind: 'state'; messageId: string; snapshotId: string; state: ChangeState }
  | { kind: 'damaged'; reason: LineDamage };

/** Whether lines of this type may own snapshots. */
export function isOwnerType(type: string): boolean {
  return type === 'message' || type === 'tool';
}

export function isChangeState(value: unknown): value is ChangeState {
  return (CHANGE_STATES as readonly unknown[]).includes(value);
}

/**
 * What a parsed line is. `raw` holds the bytes it was parsed from, for the check of a state line: one without
 * a check is an older or a foreign one and is good, one with a wrong check is damage.
 */
export function classifyLine(value: unknown, raw: Uint8Array, hash: Hash): ClassifiedLine {
  if (!isObject(value) || typeof value.type !== 'string') return { kind: 'damaged', reason: 'shape' };
  if (value.type === STATE_LINE_TYPE) return classifyStateLine(value, raw, hash);
  return { kind: 'item', type: value.type, id: typeof value.id === 'string' ? value.id : null };
}

function classifyStateLine(line: Record<string, unknown>, raw: Uint8Array, hash: Hash): ClassifiedLine {
  const { messageId, snapshotId, state } = line;
  if (Object.hasOwn(line, 'check') && !checkHolds(line.check, raw, hash)) {
    return { kind: 'damaged', reason: 'check' };
  }
  if (typeof messageId !== 'string' || typeof snapshotId !== 'string' || typeof state !== 'string') {
    return { kind: 'damaged', reason: 'shape' };
  }
  if (!isChangeState(state)) return { kind: 'damaged', reason: 'unknownState' };
  return { kind: 'state', messageId, snapshotId, state };
}

const CHECK_DIGITS = 16;

function checkHolds(check: unknown, raw: Uint8Array, hash: Hash): boolean {
  if (typeof check !== 'string' || !/^[0-9a-f]{16}$/.test(check)) return false;
  const end = lastIndexOfAscii(raw, `,"check":"${check}"`);
  return end !== -1 && hash(raw.subarray(0, end)).slice(0, CHECK_DIGITS) === check;
}

/**
 * A host's line as the text to append, without its LF. `JSON.stringify` alone makes it, so it can hold no raw
 * line break.
 *
 * @throws ReviewError `invalidArgument`
 */
export function encodeHostLine(line: unknown): string {
  const fault = hostLineFault(line);
  if (fault !== null)
    throw new ReviewError('invalidArgument', `A transcript line can't be appended: ${fault}.`);
  try {
    return JSON.stringify(line);
  } catch (cause) {
    // A cycle, a BigInt, too deep, or a `toJSON` of the host's that threw: nothing was written.
    const message = "A transcript line can't be appended: it can't be written as JSON.";
    throw new ReviewError('invalidArgument', message, { cause });
  }
}

function hostLineFault(line: unknown): string | null {
  if (!isPlainObject(line)) return 'it is no plain object';
  const { type, id } = line;
  if (!isText(type)) return 'its `type` is no string';
  if (type === STATE_LINE_TYPE) return 'review states are appended by `appendReviewState` alone';
  if (isOwnerType(type) && !isText(id)) return `a \`${type}\` line needs a string \`id\``;
  if (Object.hasOwn(line, 'review'))
    return 'the member `review` is added by reading: put yours under another name';
  return null;
}

/** A string that comes back from the file as it is: not empty, no lone half of a surrogate pair. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.isWellFormed();
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value) || typeof value.toJSON === 'function') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** One state line without its LF. The check covers every byte before `,"check"`. */
export function encodeStateLine(
  state: { messageId: string; snapshotId: string; state: ChangeState },
  hash: Hash,
): string {
  const checked = JSON.stringify({
    type: STATE_LINE_TYPE,
    v: STATE_LINE_VERSION,
    messageId: state.messageId,
    snapshotId: state.snapshotId,
    state: state.state,
  }).slice(0, -1);
  return `${checked},"check":"${hash(checked).slice(0, CHECK_DIGITS)}"}`;
}

/**
 * The snapshots that a line names in `details.review` (`change.id`, `snapshotId`, `snapshotIds`), or null
 * where it names none and so may own any.
 */
export function ownedSnapshotIds(line: HostLine): string[] | null {
  const details = line.details;
  const review = isObject(details) ? details.review : undefined;
  if (!isObject(review)) return null;
  const change = review.change;
  const many = review.snapshotIds;
  const named = [
    isObject(change) ? change.id : undefined,
    review.snapshotId,
    ...(Array.isArray(many) ? many : []),
  ].filter((id): id is string => typeof id === 'string');
  return named.length === 0 ? null : named;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
