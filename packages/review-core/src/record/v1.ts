/**
 * The review record, version 1: what is known of one change that one tool call made to one path.
 *
 * Guaranteed: a record is never edited in place. It is folded from the events of its session's journal, so
 * two readers of the same journal see the same record. Digests are full lower-case SHA-256 (64 hex) of raw
 * bytes; sizes are bytes; modes are the permission bits (`0o000`–`0o7777`).
 *
 * Not guaranteed: that the bytes behind a digest are still stored (`reversible` says it for the `before`), or
 * that `root` still exists. `createdAt` is shown, never ordered by: `seq` is the order of record.
 *
 * @since 0.1.0
 */

/** The version that `ReviewChange.version` carries. */
export const RECORD_VERSION = 1;

/** What stands at a path: a regular file, or a symbolic link as a thing of its own (its bytes are its target). */
export type EntryKind = 'file' | 'symlink';

/** One side of a change. `null` in its place means that nothing stood at the path. */
export interface FileState {
  digest: string;
  size: number;
  mode: number;
  kind: EntryKind;
}

export const SCOPES = ['workspace', 'scratch', 'external'] as const;
/** Where the path lies. Only `workspace` changes are reversible. */
export type Scope = (typeof SCOPES)[number];

export const OPERATIONS = ['write', 'edit', 'create', 'delete', 'move', 'mode', 'shell', 'restore'] as const;
/** What the tool said that it does. It never decides `status`. */
export type Operation = (typeof OPERATIONS)[number];

export const STATUSES = ['added', 'modified', 'deleted'] as const;
/** What happened, decided by whether something stood at the path at capture and stands there after it. */
export type ChangeStatus = (typeof STATUSES)[number];

export const CHANGE_STATES = [
  'pending',
  'active',
  'kept',
  'undoing',
  'rolledBack',
  'interrupted',
  'aborted',
  'needsAttention',
] as const;
export type ChangeState = (typeof CHANGE_STATES)[number];

export const EVIDENCE_KINDS = [
  'text',
  'binary',
  'tooLarge',
  'tooDifferent',
  'sensitive',
  'unavailable',
] as const;
/** What the recorded hunks can show, and where there are none, why. */
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

export const FACETS = ['content', 'lineEndings', 'bom', 'finalNewline', 'mode', 'kind'] as const;
/** Which sides of the file differ between before and after. */
export type Facet = (typeof FACETS)[number];

export const IRREVERSIBLE_REASONS = [
  'outsideWorkspace',
  'tooLarge',
  'sensitive',
  'fork',
  'interrupted',
  'hardLinked',
  'missingSnapshot',
  'unsupportedKind',
  'denied',
  'overlap',
] as const;
export type IrreversibleReason = (typeof IRREVERSIBLE_REASONS)[number];

/** The user round that a change belongs to. `ordinal` is null where the host never named a round. */
export interface RoundRef {
  id: string;
  ordinal: number | null;
}

/** The delegate (sub-agent) that made a change in its ancestor's session. */
export interface AgentRef {
  name: string;
  sessionId: string;
}

/** One change to one path by one tool call. */
export interface ReviewChange {
  version: typeof RECORD_VERSION;
  /** UUID; called `snapshotId` at every door. */
  id: string;
  sessionId: string;
  /** The id of the transcript's tool line, minted by the host before the capture. */
  messageId: string;
  /** Unique among the pending changes of a session and path. */
  callId: string;
  rootCallId: string;
  toolName: string;
  agent: AgentRef | null;
  /** The session that this record was copied from by a fork. */
  forkedFrom: string | null;
  /** The order of record, per session, given under the session lock. Starts at 1. */
  seq: number;
  round: RoundRef;
  /** Joins the two entries of a move. */
  moveId: string | null;
  /** ISO 8601, UTC. Shown, never ordered by. */
  createdAt: string;

  /** Absolute execution root: provenance, never a permission. */
  root: string;
  /** Relative to `root`, with `/` between segments. */
  path: string;
  scope: Scope;

  operation: Operation;
  status: ChangeStatus;
  /** The tool reported failure, but the file changed. */
  failed: boolean;
  before: FileState | null;
  after: FileState | null;

  /** Lines, counted as git counts them. Null means unknown, which is not zero. */
  additions: number | null;
  deletions: number | null;
  evidence: EvidenceKind;
  facets: Facet[];
  /** `written`: of the bytes handed to the writer. `observed`: read back from disk after the tool. */
  afterSource: 'written' | 'observed';
  coverage: 'complete' | 'partial';
  /** Joins changes of one path whose calls crossed in time; they can only be undone together. */
  groupId: string | null;

  reversible: boolean;
  irreversibleReason: IrreversibleReason | null;
  state: ChangeState;
  /** Run ids inside this change that were kept one by one. */
  keptRuns: string[];
}

/** A record that this version can't act on; listed in its place, so that nothing vanishes from a list. */
export interface UnreadableRecord {
  unreadable: 'damaged' | 'newer';
  /** The record's id where it could be read. */
  id: string | null;
  seq: number | null;
  sessionId: string;
  reason: string;
}

/** The id of a run: the first 32 hex of SHA-256 over `[snapshotId, removed, added, k]`. */
export type RunId = string;

/**
 * A hunk as stored: with 5 lines of context (see `hunksWithContext` for 3 and 1).
 * `lines` carry `' '`, `'+'`, `'-'` or `'\'` in front; only LF ends a line, so a CR stays in its line.
 * `oldStart` and `newStart` are 1-based, and the line before the gap where that side has no lines, as in git.
 */
export interface ReviewHunk {
  header: string;
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
  /** The runs of adjacent −/+ lines in this hunk, in order. */
  runs: RunId[];
}

/** A path that was touched, or may have been, of which there is no change record. */
export interface Gap {
  seq: number;
  sessionId: string;
  callId: string;
  messageId: string | null;
  toolName: string | null;
  path: string | null;
  operation: Operation | null;
  reason: GapReason;
  detail: string | null;
  createdAt: string;
}

export const GAP_REASONS = [
  'sensitive',
  'captureFailed',
  'unsupportedKind',
  'refused',
  'notCovered',
] as const;
export type GapReason = (typeof GAP_REASONS)[number];
