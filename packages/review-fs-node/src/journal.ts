/**
 * One event as one line of a journal:
 *
 *     {"v":1,"t":"kept","gen":7,"ids":["…"],"check":"0f1e2d3c4b5a6978"}
 *
 * `v` is the version of the line, `gen` the generation of the session's lock under which it was written, `check` the
 * first 16 hex digits of SHA-256 over the bytes from `{` up to the comma before `"check"`. The event is what is left
 * without them. A newer version of this package may write `v` 2 and more, with `minReader`, the lowest version that
 * can read it; without it nobody older can.
 *
 * The check is over bytes, so that no canonical form of JSON is needed. It tells damage, not tampering.
 */
import { type LogEntry, sha256 } from '@backstitch/durable-node';
import { type EventData, ReviewError } from '@backstitch/review-core';

export const LINE_VERSION = 1;

/** What the store adds, and takes away again. */
const OWN_MEMBERS = ['v', 'gen', 'minReader', 'check'];
const SEAL = /^,"check":"([0-9a-f]{16})"\}$/;
const SEAL_BYTES = ',"check":"0123456789abcdef"}'.length;

/** @throws ReviewError `invalidArgument` where the event has a member that is the store's own */
export function encodeLine(event: EventData, generation: number): string {
  if (typeof event.t !== 'string') throw unfit('an event has no type in "t": give it one');
  const reserved = OWN_MEMBERS.find((member) => Object.hasOwn(event, member));
  if (reserved !== undefined) {
    throw unfit(`the event "${event.t}" has a member "${reserved}", which is the store's own: rename it`);
  }
  const { t, ...members } = event;
  return sealJson({ v: LINE_VERSION, t, gen: generation, ...members });
}

/** The value as JSON, with its check as the last member. */
export function sealJson(value: object): string {
  const open = JSON.stringify(value).slice(0, -1);
  return `${open},"check":"${checkOf(Buffer.from(open))}"}`;
}

/** Whether the bytes end in the check of what stands before it. */
export function isSealed(bytes: Uint8Array): boolean {
  if (bytes.length <= SEAL_BYTES) return false;
  const at = bytes.length - SEAL_BYTES;
  const seal = SEAL.exec(Buffer.from(bytes.subarray(at)).toString('latin1'));
  return seal !== null && seal[1] === checkOf(bytes.subarray(0, at));
}

function checkOf(bytes: Uint8Array): string {
  return sha256(bytes).slice(0, 16);
}

/** What a place of the journal holds. */
export type JournalEntry =
  | { offset: number; length: number; event: EventData; generation: number }
  | { offset: number; length: number; unreadable: 'damaged' | 'newer'; reason: string };

const DAMAGE = {
  utf8: 'the bytes are no UTF-8',
  json: 'the line is no JSON: it was cut short, or written over',
  tooLong: 'the line is longer than any that is written here',
  nul: 'the bytes are NUL: a power cut took what stood here',
} as const;

/**
 * @param end where the file ended when reading began: a line that ends there has no LF
 * @returns null for what is not written yet, as far as a reader without the lock can tell
 */
export function decodeEntry(entry: LogEntry, end: number): JournalEntry | null {
  if ('tail' in entry) return null;
  const { offset, length } = entry;
  if ('damaged' in entry) return { offset, length, unreadable: 'damaged', reason: DAMAGE[entry.damaged] };
  if (isSealed(entry.raw)) return { offset, length, ...decodeValue(entry.value) };
  if (offset + length === end) return null;
  return { offset, length, unreadable: 'damaged', reason: 'the check of the line does not fit its bytes' };
}

type Decoded = { event: EventData; generation: number } | { unreadable: 'damaged' | 'newer'; reason: string };

function decodeValue(value: unknown): Decoded {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return misshapen('is no object');
  const { v, gen, minReader, check: _check, ...event } = value as Record<string, unknown>;
  if (!isCount(v) || v === 0) return misshapen('has no version');
  if (v > LINE_VERSION && !(isCount(minReader) && minReader <= LINE_VERSION)) {
    return { unreadable: 'newer', reason: `the line has version ${v}, which only a newer version can read` };
  }
  if (!isCount(gen)) return misshapen('has no generation');
  if (typeof event.t !== 'string') return misshapen('has no type');
  return { event: event as EventData, generation: gen };
}

function misshapen(what: string): Decoded {
  return { unreadable: 'damaged', reason: `the line ${what}` };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function unfit(message: string): ReviewError {
  return new ReviewError('invalidArgument', `Nothing was appended: ${message}.`);
}
