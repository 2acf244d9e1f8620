import type { ReviewChange } from '@backstitch/review-core';
import type { ReactNode } from 'react';
import { useLabelWriter } from '../context.ts';
import { useReviewActions } from '../hooks/use-review-actions.ts';
import { useStoreValue } from '../hooks/use-store-value.ts';
import type { LabelWriter } from '../labels/writer.ts';
import type { ChangeActions as ChangeActionsState } from '../model/availability.ts';
import { actionsOf } from '../model/availability.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { clipboardOf } from '../parts/clipboard.ts';

/** States that the card's own words don't explain: why nothing can be done is shown, not only spoken. */
const PUZZLING: readonly string[] = ['pending', 'interrupted', 'aborted', 'needsAttention'];

export function useChangeActions(change: ReviewChange): ChangeActionsState {
  const writer = useLabelWriter();
  const connection = useStoreValue((state) => state.connection);
  const methods = useStoreValue((state) => state.methods);
  const running = useStoreValue((state) => state.running);
  return actionsOf(change, { connection, methods, running }, writer);
}

/** Why a roll back is off, where the state of the card does not say it already; null where there is nothing to say. */
export function shownReason(
  change: ReviewChange,
  can: ChangeActionsState,
  writer: LabelWriter,
): string | null {
  const shown = PUZZLING.includes(change.state) || (!change.reversible && change.state !== 'rolledBack');
  if (can.rollback.on || !shown) return null;
  return writer.text(writer.labels.off.rollback, { reason: can.rollback.reason });
}

export interface ChangeActionsProps {
  change: ReviewChange;
  can: ChangeActionsState;
  /** The element that shows why roll back is off, where there is one. */
  reasonId: string | undefined;
}

/** Keep or undo keep, roll back, copy. Each button acts on the id that this row was drawn for. */
export function ChangeActions({ change, can, reasonId }: ChangeActionsProps): ReactNode {
  const writer = useLabelWriter();
  const actions = useReviewActions();
  const { action, off } = writer.labels;
  const named = (label: string) => writer.text(action.on, { action: label, path: change.path });
  const rollbackLabel = can.rollbackDeletes ? action.rollbackDeletes : action.rollback;
  const copies = change.evidence === 'text';
  return (
    <div data-part="review-actions">
      <ActionButton
        name={can.mark}
        label={action[can.mark]}
        fullLabel={named(action[can.mark])}
        availability={can.markAvailability}
        offText={(reason) => writer.text(off.keep, { reason })}
        onPress={() => void actions[can.mark]([change.id])}
      />
      <ActionButton
        name="rollback"
        label={rollbackLabel}
        fullLabel={named(rollbackLabel)}
        availability={can.rollback}
        offText={(reason) => writer.text(off.rollback, { reason })}
        reasonId={reasonId}
        onPress={() => void actions.rollback(change.id)}
      />
      {copies && (
        <ActionButton
          name="copyPatch"
          label={action.copyPatch}
          fullLabel={named(action.copyPatch)}
          availability={{ on: true }}
          offText={(reason) => reason}
          onPress={(button) => void actions.copyPatch([change.id], clipboardOf(button))}
        />
      )}
    </div>
  );
}
