/**
 * The projection of states onto the transcript. Done while the session is held, with the state that the store
 * holds then, so that a late writer can't overtake a newer state. A transcript that can't be written never
 * undoes what the store says: it is told to the host, and the next resync writes the missing line.
 */
import type { LogState, ReviewLog } from '../ports/log.ts';
import type { Deps } from './deps.ts';
import type { Fold } from './fold.ts';
import type { Session } from './session.ts';

export async function projectStates(deps: Deps, session: Session, ids: readonly string[]): Promise<void> {
  await project(deps, session, async (log, fold) => {
    for (const state of statesOf(fold, ids)) await log.appendState(state);
  });
}

export async function resyncLog(deps: Deps, session: Session): Promise<void> {
  await project(deps, session, async (log, fold) => {
    await log.resync(statesOf(fold, [...fold.entries.keys()]));
  });
}

async function project(
  deps: Deps,
  session: Session,
  act: (log: ReviewLog, fold: Fold) => Promise<void>,
): Promise<void> {
  try {
    const log = deps.logOf(session.id);
    if (log === null) return;
    await session.write((tx) => act(log, tx.fold), { sync: false });
  } catch (error) {
    // A transcript on a full disk, or a damaged one: the store has the truth already.
    deps.policy.warn(
      `The review state of the session ${session.id} could not be written to its transcript.`,
      error,
    );
  }
}

/** Only what a reader of messages needs: a capture that is under way or changed nothing has no line. */
function statesOf(fold: Fold, ids: readonly string[]): LogState[] {
  return ids.flatMap((id) => {
    const change = fold.entries.get(id)?.change;
    if (change === undefined || change.state === 'pending' || change.state === 'aborted') return [];
    return [{ messageId: change.messageId, snapshotId: change.id, state: change.state }];
  });
}
