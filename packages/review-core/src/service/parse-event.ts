/**
 * The door through which events come back from a store. What lies on a disk is input: each member that the fold
 * relies on is checked here, and a reason is answered where one is wrong. An unknown type is kept in the
 * journal and ignored, unless it says `critical`: then nothing may be written to the session.
 */
import { DIGEST, MAX_MODE, PATH } from '../record/patterns.ts';
import type { Check } from '../record/shape.ts';
import {
  arrayOf,
  bool,
  integer,
  integerFrom,
  matching,
  nullable,
  object,
  oneOf,
  text,
} from '../record/shape.ts';
import {
  EVIDENCE_KINDS,
  GAP_REASONS,
  IRREVERSIBLE_REASONS,
  OPERATIONS,
  RECORD_VERSION,
  SCOPES,
  STATUSES,
} from '../record/v1.ts';
import type { JournalEvent } from './events.ts';

const digest: Check = matching(DIGEST, 'a SHA-256');
const kind: Check = oneOf(['file', 'symlink']);
const path: Check = matching(PATH, 'a path below the root');
const fileState: Check = object({ digest, size: integer, mode: integerFrom(0, MAX_MODE), kind });
const locator: Check = object({ digest, segment: text, offset: integer, length: integer });
const round: Check = object({ id: text, ordinal: nullable(integer) });
const agent: Check = nullable(object({ name: text, sessionId: text }));
const names = arrayOf(text);

const begun: Check = object({
  version: integer,
  messageId: text,
  callId: text,
  rootCallId: text,
  toolName: text,
  agent,
  round,
  moveId: nullable(text),
  createdAt: text,
  root: text,
  path,
  scope: oneOf(SCOPES),
  operation: oneOf(OPERATIONS),
});

const intentFile: Check = object({
  root: text,
  path,
  from: nullable(fileState),
  to: nullable(fileState),
  temp: text,
  displaced: text,
  madeDirs: names,
});

const count: Check = nullable(integer);

const CHECKS: Record<JournalEvent['t'], Check> = {
  pending: object({
    id: text,
    seq: integer,
    record: begun,
    before: nullable(fileState),
    beforeAt: nullable(locator),
    blocked: nullable(oneOf(IRREVERSIBLE_REASONS)),
    owner: nullable(object({})),
    temp: text,
    displaced: text,
    madeDirs: names,
  }),
  publishing: object({
    id: text,
    after: nullable(object({ digest, size: integer, kind })),
  }),
  committed: object({
    id: text,
    status: oneOf(STATUSES),
    failed: bool,
    after: nullable(fileState),
    afterSource: oneOf(['written', 'observed']),
    afterAt: nullable(locator),
    evidence: oneOf(EVIDENCE_KINDS),
    additions: count,
    deletions: count,
    facets: names,
    hunksAt: nullable(locator),
    coverage: oneOf(['complete', 'partial']),
    reason: nullable(oneOf(IRREVERSIBLE_REASONS)),
  }),
  aborted: object({ id: text }),
  interrupted: object({ id: text, seen: nullable(fileState), reason: oneOf(IRREVERSIBLE_REASONS) }),
  kept: object({ ids: names, runs: nullable(names), requestId: nullable(text), params: text }),
  unkept: object({ ids: names, runs: nullable(names), requestId: nullable(text), params: text }),
  intent: object({
    planId: text,
    kind: oneOf(['rollback']),
    requestId: nullable(text),
    params: text,
    changes: arrayOf(object({ id: text, prior: oneOf(['active', 'kept']) })),
    files: arrayOf(intentFile),
  }),
  settled: object({
    planId: text,
    result: oneOf(['done', 'prior', 'attention']),
    reason: nullable(text),
    message: text,
    wrote: bool,
  }),
  gap: object({
    seq: integer,
    callId: text,
    messageId: nullable(text),
    toolName: nullable(text),
    path: nullable(text),
    operation: nullable(oneOf(OPERATIONS)),
    reason: oneOf(GAP_REASONS),
    detail: nullable(text),
    createdAt: text,
  }),
  round: object({ round }),
};

export type ParsedEvent =
  | { event: JournalEvent }
  | { unknown: string; critical: boolean }
  | { damaged: string; id: string | null; seq: number | null }
  | { newer: string; id: string | null; seq: number | null };

/** Checks one event as it came from a store. Never throws. */
export function parseEvent(data: Record<string, unknown>): ParsedEvent {
  const type = data.t;
  if (typeof type !== 'string' || !Object.hasOwn(CHECKS, type)) {
    return { unknown: String(type), critical: data.critical === true };
  }
  const id = typeof data.id === 'string' ? data.id : null;
  const seq = Number.isSafeInteger(data.seq) ? (data.seq as number) : null;
  if (type === 'pending' && isNewer(data.record)) {
    return { newer: 'the record was written by a newer version', id, seq };
  }
  const fault = CHECKS[type as JournalEvent['t']](data);
  return fault === null
    ? { event: data as unknown as JournalEvent }
    : { damaged: `${type}${fault}`, id, seq };
}

/** A later record says by `minReader` that this version may read it all the same. */
function isNewer(record: unknown): boolean {
  const { version, minReader = version } = (record ?? {}) as { version?: unknown; minReader?: unknown };
  return typeof minReader === 'number' && minReader > RECORD_VERSION;
}
