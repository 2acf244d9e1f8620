import type { AppendStateResult, ChangeState, LogState, ReviewLog } from '@backstitch/review-core';
import type { DamagedRegion } from '../fold.ts';
import type { HostLine, TranscriptItem } from '../lines.ts';
import type { WindowCursors, WindowRequest } from '../window.ts';

export interface OpenTranscriptOptions {
  /** The JSONL file. It need not exist yet: the first append makes it, with mode 0600. Its directory must. */
  path: string;
  /**
   * Called after state lines were appended, so that the host can move its session's timestamp: nothing but
   * the lines is written here. What it throws is reported as a process warning; the lines stand.
   */
  onTouched?: () => void;
}

/** Where an appended line lies; bytes. The same as its `review` when it is read. */
export interface AppendedLine {
  offset: number;
  length: number;
  ordinal: number;
}

/** Lines in file order, oldest first. */
export interface TranscriptWindow extends WindowCursors {
  items: TranscriptItem[];
}

/**
 * A session's transcript: a JSONL file of the host's, to which lines are only ever appended.
 *
 * Guaranteed: an append is one whole line and on disk when it resolves; processes that append through this
 * package never interleave; the bytes of the file before an append are a prefix of the file after it. Damage
 * stops no read: a bad line is left out and listed by `health`.
 *
 * Errors are `ReviewError`: `invalidArgument`, `busy` (another process holds the lock for 5 seconds),
 * `lockLost`, `storeFailed` (with `errno` where the system refused), `storeDamaged` (a point read of a line that
 * is no longer what it was), `cursorExpired`, `closed`.
 *
 * @since 0.1.0
 */
export interface Transcript {
  /** The file's real path. */
  readonly path: string;
  /** A line of the host: `type`, an `id` where it is a `message` or a `tool`, and whatever else JSON can say. */
  append(line: HostLine): Promise<AppendedLine>;
  /** Writes what it is told, unless the last line for the snapshot says the same. */
  appendReviewState(state: LogState): Promise<AppendStateResult>;
  /** Every good line but state lines, each with the latest states of its snapshots. All of it in memory. */
  readAll(): Promise<{ items: TranscriptItem[] }>;
  /** A page of the same. Without a cursor the newest `limit`. */
  readWindow(request: WindowRequest): Promise<TranscriptWindow>;
  /** The `tool` line with that id, else the `message` line, with its states; null where there is none. */
  findTool(messageId: string): Promise<TranscriptItem | null>;
  /** Message id → snapshot id → latest state, for all state lines. Objects without a prototype. */
  reviewStates(): Promise<Record<string, Record<string, ChangeState>>>;
  /** Regions that are no lines, in file order, as byte ranges. */
  health(): Promise<{ damaged: DamagedRegion[] }>;
  /** The log port of the review service, onto this transcript. */
  reviewLog(): ReviewLog;
  /** Waits for appends that were begun. Later calls answer `closed`. */
  close(): Promise<void>;
}
