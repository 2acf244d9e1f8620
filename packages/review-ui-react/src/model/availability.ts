import type { ReviewChange } from '@backstitch/review-core';
import type { LabelWriter } from '../labels/writer.ts';
import type { ActionName, ReviewState } from '../store/state.ts';

/** Whether a button does something now, and where it does not, why: said from the record, without asking. */
export type Availability = { on: true } | { on: false; reason: string };

export interface ChangeActions {
  /** Which of the two the button is now. */
  mark: Extract<ActionName, 'keep' | 'unkeep'>;
  markAvailability: Availability;
  rollback: Availability;
  /** A rollback would remove the file: the button must say so. */
  rollbackDeletes: boolean;
}

export type HostState = Pick<ReviewState, 'connection' | 'methods' | 'running'>;

export function actionsOf(change: ReviewChange, state: HostState, writer: LabelWriter): ChangeActions {
  const settled = change.state === 'active' || change.state === 'kept';
  const byState: Availability = settled ? { on: true } : off(stateReason(change, writer));
  const mark = change.state === 'kept' ? 'unkeep' : 'keep';
  const byHost = (action: ActionName) => hostAvailability(action, change, state, writer);
  return {
    mark,
    markAvailability: first(byState, byHost(mark)),
    rollback: first(byState, recordAvailability(change, writer), byHost('rollback')),
    rollbackDeletes: change.before === null,
  };
}

function stateReason(change: ReviewChange, writer: LabelWriter): string {
  return writer.word(writer.labels.off.state, change.state);
}

function recordAvailability(change: ReviewChange, writer: LabelWriter): Availability {
  if (change.reversible) return { on: true };
  return off(writer.word(writer.labels.unavailable, change.irreversibleReason ?? 'missingSnapshot'));
}

function hostAvailability(
  action: ActionName,
  change: ReviewChange,
  state: HostState,
  writer: LabelWriter,
): Availability {
  if (state.connection === 'closed') return off(writer.labels.off.disconnected);
  const served = state.methods === null || state.methods.includes(`review.${action}`);
  if (!served) return off(writer.labels.off.viewer);
  if (state.running.has(change.id)) return off(writer.labels.off.running);
  return { on: true };
}

function first(...given: readonly Availability[]): Availability {
  return given.find((one) => !one.on) ?? { on: true };
}

function off(reason: string): Availability {
  return { on: false, reason };
}
