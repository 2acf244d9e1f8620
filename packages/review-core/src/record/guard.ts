/**
 * The guards: whether data from a disk or a wire is a record of version 1.
 *
 * Purpose: the same answer as the schema on `./schema` gives, without loading a schema library. A test holds the
 * two together. Guaranteed: never throws on data that JSON can carry; unknown members are kept; what is known
 * must fit. Not decided here: whether the record belongs to the session that it was found in, and whether its
 * bytes are still stored.
 */
import { changeFault, hunkFault } from './consistency.ts';
import { DIGEST, HUNK_LINE, MAX_MODE, NAME, PATH, ROOT, RUN_ID, TIMESTAMP, UUID } from './patterns.ts';
import type { Check } from './shape.ts';
import { arrayOf, bool, integer, integerFrom, matching, nullable, object, oneOf, text } from './shape.ts';
import type { FileState, Gap, ReviewChange, ReviewHunk } from './v1.ts';
import {
  CHANGE_STATES,
  EVIDENCE_KINDS,
  FACETS,
  GAP_REASONS,
  IRREVERSIBLE_REASONS,
  OPERATIONS,
  RECORD_VERSION,
  SCOPES,
  STATUSES,
} from './v1.ts';

export type Checked<T> = { value: T } | { unreadable: 'damaged' | 'newer'; reason: string };

export function isReadable<T>(checked: Checked<T>): checked is { value: T } {
  return 'value' in checked;
}

const name: Check = matching(NAME, 'a string with something in it');
const digest: Check = matching(DIGEST, 'a SHA-256');
const timestamp: Check = matching(TIMESTAMP, 'a time in UTC');
const round: Check = object({ id: name, ordinal: nullable(integer) });
const agent: Check = object({ name: text, sessionId: name });
const runs: Check = arrayOf(matching(RUN_ID, 'a run id'));

const fileState: Check = object({
  digest,
  size: integer,
  mode: integerFrom(0, MAX_MODE),
  kind: oneOf(['file', 'symlink']),
});

const change: Check = object({
  id: matching(UUID, 'a UUID'),
  sessionId: name,
  messageId: name,
  callId: name,
  rootCallId: name,
  toolName: text,
  agent: nullable(agent),
  forkedFrom: nullable(name),
  seq: integerFrom(1),
  round,
  moveId: nullable(name),
  createdAt: timestamp,
  root: matching(ROOT, 'a root'),
  path: matching(PATH, 'a path below the root'),
  scope: oneOf(SCOPES),
  operation: oneOf(OPERATIONS),
  status: oneOf(STATUSES),
  failed: bool,
  before: nullable(fileState),
  after: nullable(fileState),
  additions: nullable(integer),
  deletions: nullable(integer),
  evidence: oneOf(EVIDENCE_KINDS),
  facets: arrayOf(oneOf(FACETS)),
  afterSource: oneOf(['written', 'observed']),
  coverage: oneOf(['complete', 'partial']),
  groupId: nullable(name),
  reversible: bool,
  irreversibleReason: nullable(oneOf(IRREVERSIBLE_REASONS)),
  state: oneOf(CHANGE_STATES),
  keptRuns: runs,
});

const hunk: Check = object({
  header: text,
  oldStart: integer,
  oldLines: integer,
  newStart: integer,
  newLines: integer,
  lines: arrayOf(matching(HUNK_LINE, 'a line with its mark')),
  runs,
});

const gap: Check = object({
  seq: integerFrom(1),
  sessionId: name,
  callId: name,
  messageId: nullable(name),
  toolName: nullable(text),
  path: nullable(text),
  operation: nullable(oneOf(OPERATIONS)),
  reason: oneOf(GAP_REASONS),
  detail: nullable(text),
  createdAt: timestamp,
});

/**
 * A record of a later version is read as one of this version where it says, by `minReader`, that it may be:
 * then its `version` comes back as this one. Without `minReader` a later version is `newer`.
 */
export function checkChange(input: unknown): Checked<ReviewChange> {
  const version = versionOf(input);
  if (version === 'newer')
    return { unreadable: 'newer', reason: 'the record was written by a newer version' };
  if (version === 'damaged') return { unreadable: 'damaged', reason: 'record.version is not a version' };
  const checked = check<ReviewChange>('record', change, changeFault, input);
  if (!isReadable(checked) || checked.value.version === RECORD_VERSION) return checked;
  return { value: { ...checked.value, version: RECORD_VERSION } };
}

export function checkHunk(input: unknown): Checked<ReviewHunk> {
  return check('hunk', hunk, hunkFault, input);
}

/** All hunks of a change, or the first fault. */
export function checkHunks(input: unknown): Checked<ReviewHunk[]> {
  return check(
    'hunks',
    arrayOf((item) => hunk(item) ?? hunkFault(item as ReviewHunk)),
    null,
    input,
  );
}

export function checkGap(input: unknown): Checked<Gap> {
  return check('gap', gap, null, input);
}

export function checkFileState(input: unknown): Checked<FileState> {
  return check('state', fileState, null, input);
}

function check<T>(
  what: string,
  shape: Check,
  fits: ((value: T) => string | null) | null,
  input: unknown,
): Checked<T> {
  const fault = shape(input) ?? fits?.(input as T) ?? null;
  return fault === null ? { value: input as T } : { unreadable: 'damaged', reason: what + fault };
}

function versionOf(input: unknown): 'readable' | 'newer' | 'damaged' {
  if (typeof input !== 'object' || input === null) return 'readable';
  const { version, minReader = version } = input as { version?: unknown; minReader?: unknown };
  if (!isVersion(version) || !isVersion(minReader)) return 'damaged';
  return minReader > RECORD_VERSION ? 'newer' : 'readable';
}

function isVersion(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= RECORD_VERSION;
}
