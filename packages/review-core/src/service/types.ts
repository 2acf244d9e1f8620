import type { PreviewLimits } from '../limits.ts';
import type { Outcome } from '../outcome.ts';
import type { Capabilities } from '../ports/capabilities.ts';
import type { Environment } from '../ports/environment.ts';
import type { ReviewLog } from '../ports/log.ts';
import type { ReviewStore, Revision, SessionInfo } from '../ports/store.ts';
import type { Workspace } from '../ports/workspace.ts';
import type {
  AgentRef,
  Gap,
  Operation,
  ReviewChange,
  ReviewHunk,
  RoundRef,
  UnreadableRecord,
} from '../record/v1.ts';

/**
 * The review service: what a host calls. See `service/index.ts` for the order in which it writes.
 *
 * @since 0.1.0
 */

/** The host's decisions. A callback that throws refuses: nothing is stored or written on a doubt. */
export interface ReviewPolicy {
  /** Paths of which no byte, digest or count may be stored. Default: secret-file patterns and `.git`. */
  sensitive?: (path: string) => boolean | Promise<boolean>;
  /** Whether this write or undo is allowed now; asked again at each undo. Default: allowed. */
  authorizeWrite?: (request: {
    sessionId: string;
    path: string;
    /** The change that would be undone; null for a capture's own write. */
    change: ReviewChange | null;
    action: 'capture' | 'rollback';
  }) => boolean | Promise<boolean>;
  /** What becomes of a tool call whose capture failed. Default `block`. Each leaves a visible gap. */
  onCaptureFailure?: 'block' | 'warn' | 'skip';
  /** Called for `warn`. */
  onWarning?: (message: string, error: unknown) => void;
  limits?: Partial<PreviewLimits>;
}

export interface ReviewServiceOptions {
  store: ReviewStore;
  workspace: Workspace | ((sessionId: string) => Workspace);
  log?: ReviewLog | ((sessionId: string) => ReviewLog | null);
  environment?: Partial<Environment>;
  policy?: ReviewPolicy;
}

/** What a capture must know of the call. */
export interface CaptureRequest {
  sessionId: string;
  messageId: string;
  callId: string;
  toolName: string;
  operation: Operation;
  /** Relative to the workspace root, or absolute inside one of its roots. */
  path: string;
  round?: RoundRef;
  rootCallId?: string;
  agent?: AgentRef | null;
}

/** What a tool gets to do its work on the captured path. */
export interface CaptureTarget {
  readonly absolutePath: string;
  /** The captured bytes; null where there was no file. */
  before(): Uint8Array | null;
  /** Guarded, atomic and durable. Throws `changedSinceRead` where the file is no longer what was captured. */
  write(bytes: Uint8Array | string, options?: { mode?: number }): Promise<void>;
  remove(): Promise<void>;
}

export interface CaptureResult<T> {
  /** Null where nothing changed, or where the path is recorded as a gap. */
  change: ReviewChange | null;
  result: T;
}

export interface BeginRequest extends CaptureRequest {
  /** `detached`: the process that begins may end before `finish`. Default `process`. */
  owner?: 'process' | 'detached';
}

export interface FinishResult {
  changes: ReviewChange[];
  /** Ids of begun captures that turned out to have changed nothing. */
  discarded: string[];
}

export interface ListResult {
  /** In the order of record. */
  items: (ReviewChange | UnreadableRecord)[];
  nextCursor: string | null;
  /** What is not covered: most useful when `items` is empty. */
  gaps: { total: number; items: Gap[] };
}

export interface RoundFile {
  root: string;
  path: string;
  scope: ReviewChange['scope'];
  /** In the order of record. */
  snapshotIds: string[];
  states: ReviewChange['state'][];
  additions: number | null;
  deletions: number | null;
}

export interface RoundSummary {
  id: string;
  ordinal: number | null;
  firstSeq: number;
  files: RoundFile[];
  changes: number;
  /** Changes that are kept or rolled back. */
  reviewed: number;
  additions: number | null;
  deletions: number | null;
}

export interface RoundsResult {
  /** Oldest first: by ordinal, then by first `seq`. */
  rounds: RoundSummary[];
  /** The newest round with changes; null where there is none. */
  latest: string | null;
}

export interface ReviewEvent {
  sessionId: string;
  revision: Revision | null;
  /** The changes that differ; empty where it can't be told (refetch all). */
  snapshotIds: string[];
}

export interface RecoverResult {
  /** Changes whose state recovery settled, as they are now. */
  settled: ReviewChange[];
  /** Left alone since somebody holds them. */
  busy: string[];
}

export interface ContextResult {
  hunks: ReviewHunk[];
}

export interface ReviewService {
  readonly capabilities: Capabilities;
  readonly limits: PreviewLimits;
  /** Resolves when the store was opened and every session that was cut short was looked at. */
  ready(): Promise<void>;
  startRound(request: { sessionId: string; round: RoundRef }): Promise<void>;
  capture<T>(
    request: CaptureRequest,
    mutate: (target: CaptureTarget) => T | Promise<T>,
  ): Promise<CaptureResult<T>>;
  begin(request: BeginRequest): Promise<{ snapshotIds: string[] }>;
  finish(request: { sessionId: string; callId: string; failed?: boolean }): Promise<FinishResult>;
  /** Closes detached captures that will never finish. Answers those that it closed. */
  abandon(request: { sessionId: string; callId?: string }): Promise<FinishResult>;
  list(request: { sessionId: string; cursor?: string; limit?: number }): Promise<ListResult>;
  get(request: {
    sessionId: string;
    snapshotId: string;
  }): Promise<{ change: ReviewChange; hunks: ReviewHunk[] }>;
  context(request: {
    sessionId: string;
    snapshotId: string;
    lines: 1 | 3 | 5;
  }): Promise<ContextResult | { unavailable: string }>;
  rounds(request: { sessionId: string }): Promise<RoundsResult>;
  sessions(): Promise<SessionInfo[]>;
  keep(request: {
    sessionId: string;
    snapshotIds: string[];
    runs?: string[];
    requestId?: string;
  }): Promise<Outcome>;
  unkeep(request: {
    sessionId: string;
    snapshotIds: string[];
    runs?: string[];
    requestId?: string;
  }): Promise<Outcome>;
  /** One change, strict: writes the recorded bytes back, or nothing. */
  rollback(request: { sessionId: string; snapshotId: string; requestId?: string }): Promise<Outcome>;
  recover(request?: { sessionId?: string; detachedBefore?: string }): Promise<RecoverResult>;
  /** Changes of this and of other processes, of each session that this service was asked about. */
  subscribe(listener: (event: ReviewEvent) => void): () => void;
  close(): Promise<void>;
}
