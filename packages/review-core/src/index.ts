export type { DetailsLimits, ReviewDetails } from './details.ts';
export { DEFAULT_DETAILS_LIMITS, reviewDetails } from './details.ts';
export { digest } from './digest.ts';
export type { ReviewErrorCode, ReviewErrorDetails } from './errors.ts';
export { ERROR_CODES, ReviewError } from './errors.ts';
export type { PreviewLimits } from './limits.ts';
export { DEFAULT_LIMITS } from './limits.ts';
export type { Outcome, OutcomeReason, OutcomeStatus } from './outcome.ts';
export { OUTCOME_REASONS, OUTCOME_STATUSES } from './outcome.ts';
export type {
  Busy,
  Capabilities,
  Capability,
  CapabilityKey,
  LockHolder,
} from './ports/capabilities.ts';
export { CAPABILITY_KEYS, isBusy } from './ports/capabilities.ts';
export type { Environment } from './ports/environment.ts';
export type { AppendStateResult, LogState, ResyncResult, ReviewLog } from './ports/log.ts';
export type {
  EventData,
  Locator,
  OwnerRecord,
  ReviewStore,
  Revision,
  SessionInfo,
  SessionStore,
  SessionWriter,
  StoredEvent,
  UnreadableEvent,
  WriteOptions,
} from './ports/store.ts';
export type {
  FileIntent,
  Located,
  LockedFile,
  LockOptions,
  Next,
  PublishResult,
  Refusal,
  Refused,
  Seen,
  Settlement,
  Staged,
  UnsupportedKind,
  Workspace,
} from './ports/workspace.ts';
export { isRefused, REFUSALS, UNSUPPORTED_KINDS } from './ports/workspace.ts';
export type { Preview } from './preview.ts';
export { facetsOf, previewChange } from './preview.ts';
export { canMove } from './record/state.ts';
export type {
  AgentRef,
  ChangeState,
  ChangeStatus,
  EntryKind,
  EvidenceKind,
  Facet,
  FileState,
  Gap,
  GapReason,
  IrreversibleReason,
  Operation,
  ReviewChange,
  ReviewHunk,
  RoundRef,
  RunId,
  Scope,
  UnreadableRecord,
} from './record/v1.ts';
export {
  CHANGE_STATES,
  EVIDENCE_KINDS,
  FACETS,
  GAP_REASONS,
  IRREVERSIBLE_REASONS,
  OPERATIONS,
  RECORD_VERSION,
  SCOPES,
  STATUSES,
} from './record/v1.ts';
export { assignRuns } from './runs.ts';
export { createReviewService } from './service/index.ts';
export { isSensitivePath } from './service/policy.ts';
export type {
  BeginRequest,
  CaptureRequest,
  CaptureResult,
  CaptureTarget,
  ContextResult,
  FinishResult,
  ListResult,
  RecoverResult,
  ReviewEvent,
  ReviewPolicy,
  ReviewService,
  ReviewServiceOptions,
  RoundFile,
  RoundSummary,
  RoundsResult,
} from './service/types.ts';
