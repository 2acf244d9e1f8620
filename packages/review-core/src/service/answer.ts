/** Outcomes, and the reasons for which a change can't be acted on as its record stands. */
import type { Outcome, OutcomeReason, OutcomeStatus } from '../outcome.ts';
import type { ReviewChange } from '../record/v1.ts';
import type { Session } from './session.ts';

export function answer(
  status: OutcomeStatus,
  changes: ReviewChange[],
  rest: Partial<Outcome> & { message: string },
): Outcome {
  return {
    status,
    changes,
    reason: null,
    path: changes[0]?.path ?? null,
    wrote: false,
    rollbackId: null,
    laterChange: null,
    errno: null,
    ...rest,
  };
}

const UNAVAILABLE: Partial<Record<OutcomeReason, string>> = {
  outsideWorkspace: 'it lies outside the workspace, so it is shown and never written',
  tooLarge: 'its bytes are over the snapshot limit and were not stored',
  sensitive: 'it may hold secrets, so no bytes were stored',
  fork: 'it was copied from another session, which alone can take it back',
  interrupted: 'the call was cut short, and nobody can say whose bytes stand there',
  hardLinked: 'the file has more than one hard link, and replacing it would part them',
  missingSnapshot: 'the stored bytes are missing or damaged',
  unsupportedKind: 'what stands there is no regular file and no link',
  denied: "the host's policy does not allow it now",
  overlap: 'other calls changed the file in the same span, and their edits can not be told apart',
  aborted: 'the call changed nothing',
  needsAttention: 'an earlier rollback was stopped by a foreign edit and left both copies in place',
  readOnlySession: 'a newer version wrote to this session',
};

export function unavailable(change: ReviewChange, reason: OutcomeReason): Outcome {
  const why = UNAVAILABLE[reason] ?? 'it can not be taken back';
  return answer('unavailable', [change], {
    reason,
    message: `'${change.path}' was not written: ${why}. Change it by hand if you need to.`,
  });
}

/** Why a change that is neither active nor kept can't be acted on; read under the lock. */
export function denied(session: Session, id: string): Outcome {
  const change = session.change(id);
  switch (change.state) {
    case 'pending':
      return answer('busy', [change], {
        reason: 'openCall',
        message: `'${change.path}' is still being changed by the call ${change.callId}. Try again when it has ended.`,
      });
    case 'undoing':
      return answer('busy', [change], {
        reason: 'locked',
        message: `A rollback of '${change.path}' is under way. Try again when it has ended.`,
      });
    case 'rolledBack':
      return answer('alreadyRolledBack', [change], {
        message: `The change of '${change.path}' was rolled back before. Nothing was written.`,
      });
    case 'aborted':
    case 'interrupted':
    case 'needsAttention':
      return unavailable(change, change.state);
    default:
      return unavailable(change, change.irreversibleReason ?? 'denied');
  }
}
