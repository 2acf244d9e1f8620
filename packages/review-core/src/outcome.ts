import type { ReviewChange } from './record/v1.ts';

/**
 * What a mutating verb answers. Everything that can lawfully happen is one of these values.
 *
 * @since 0.1.0
 */

export const OUTCOME_STATUSES = [
  'kept',
  'unkept',
  'alreadyKept',
  'rolledBack',
  'alreadyRolledBack',
  'alreadyAtBefore',
  'redone',
  'nothingToUndo',
  'conflict',
  'unavailable',
  'stale',
  'busy',
  'failed',
  'uncertain',
] as const;
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

export const OUTCOME_REASONS = [
  // conflict
  'changedOnDisk',
  'deleted',
  'replacedKind',
  'laterChange',
  'rootChanged',
  'foreignWrite',
  // unavailable: those of a record, and
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
  'pending',
  'needsAttention',
  'aborted',
  'readOnlySession',
  // busy
  'locked',
  'openCall',
  // failed, uncertain
  'io',
  'recordNotWritten',
] as const;
export type OutcomeReason = (typeof OUTCOME_REASONS)[number];

export interface Outcome {
  status: OutcomeStatus;
  /** The changes it is about, as they are after it. */
  changes: ReviewChange[];
  reason: OutcomeReason | null;
  /** The path that decided, relative to the workspace. */
  path: string | null;
  /** What happened, to which path, and what to do next: one or two sentences for a person. */
  message: string;
  /** Whether this call wrote to the workspace. */
  wrote: boolean;
  /** The plan's id, where something was written; `redo` takes it. */
  rollbackId: string | null;
  /** Reason `laterChange`: the later change that must be taken back first. */
  laterChange: string | null;
  /** The system's own code (`ENOSPC`, …), where a system call refused. */
  errno: string | null;
}
