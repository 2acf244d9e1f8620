import type { ChangeState } from '../record/v1.ts';

/**
 * The log port: a transcript onto which review states are projected. The store is the authority; nothing is
 * ever decided from a log, and a log that lags is brought up by `resync`.
 *
 * The service calls `appendState` and `resync` while it holds the session, with the state that the store holds
 * then: so a late writer can't overtake a newer state. An implementation must not call back into the service.
 *
 * @since 0.1.0
 */
export interface LogState {
  messageId: string;
  snapshotId: string;
  state: ChangeState;
}

export type AppendStateResult =
  | 'appended'
  /** The log's latest state for it is the same. */
  | 'duplicate'
  /** No line of the log owns it yet: lawful, `resync` writes it later. */
  | 'ownerMissing';

export interface ResyncResult {
  appended: number;
  ownerMissing: number;
}

export interface ReviewLog {
  appendState(state: LogState): Promise<AppendStateResult>;
  /** Appends each state that differs from the log's latest. Without any line, a snapshot's state is `active`. */
  resync(states: readonly LogState[]): Promise<ResyncResult>;
  /** Calls back after a line was appended that may own snapshots, so that waiting states can be written. */
  onOwner(listener: (messageId: string) => void): () => void;
}
