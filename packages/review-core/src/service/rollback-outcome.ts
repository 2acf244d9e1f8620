/** What a rollback came to, as a value for the caller and a sentence for a person. */
import { ReviewError } from '../errors.ts';
import type { Outcome } from '../outcome.ts';
import type { ReviewChange } from '../record/v1.ts';
import { answer } from './answer.ts';
import type { Deps } from './deps.ts';
import type { SettledEvent } from './events.ts';
import { settlePlan } from './recover.ts';
import type { Session } from './session.ts';

/** A step behind the commit point threw. The plan is settled by what stands on disk, if that can be told now. */
export async function settleAfter(
  deps: Deps,
  session: Session,
  id: string,
  planId: string,
  error: unknown,
): Promise<Outcome> {
  const errno = ReviewError.isInstance(error) ? error.errno : null;
  const why = error instanceof Error ? error.message : String(error);
  try {
    await settlePlan(deps, session, planId);
  } catch (settleError) {
    // The journal can't take the end (a full disk): recovery will, the file is at one of its two ends.
    deps.policy.warn(`The end of the rollback ${planId} could not be recorded yet.`, settleError);
  }
  await session.refresh();
  const settled = session.fold.plans.get(planId)?.settled ?? null;
  const changes = [session.change(id)];
  const path = changes[0]!.path;
  // Done after all; or a foreign program wrote late, and what it wrote was put back.
  if (settled?.result === 'done' || settled?.reason === 'foreignWrite')
    return outcomeOf(session, [id], planId, settled);
  if (settled?.result === 'prior') {
    return answer('failed', changes, { reason: 'io', errno, message: `'${path}' is as it was: ${why}` });
  }
  return answer('uncertain', changes, {
    reason: settled === null ? 'recordNotWritten' : 'foreignWrite',
    errno,
    rollbackId: planId,
    message: `The rollback of '${path}' was cut short (${why}). Free the disk or the file, then call recover.`,
  });
}

/** Nothing was begun. */
export function failed(change: ReviewChange, error: unknown): Outcome {
  if (!ReviewError.isInstance(error) || error.code === 'requestReused') throw error;
  return answer('failed', [change], {
    reason: 'io',
    errno: error.errno,
    message: `'${change.path}' was not written: ${error.message}`,
  });
}

export function rootChanged(change: ReviewChange, root: string): Outcome {
  return answer('conflict', [change], {
    reason: 'rootChanged',
    message: `'${change.path}' was recorded in the root '${change.root}'; this workspace is '${root}'. Nothing was written; open that root.`,
  });
}

export function outcomeOf(
  session: Session,
  ids: readonly string[],
  planId: string,
  settled: SettledEvent,
): Outcome {
  const changes = ids.map((id) => session.change(id));
  const path = changes[0]!.path;
  if (settled.result === 'done') {
    const removed = changes[0]!.before === null;
    return answer(settled.wrote ? 'rolledBack' : 'alreadyAtBefore', changes, {
      wrote: settled.wrote,
      rollbackId: planId,
      message: settled.wrote
        ? `'${path}' ${removed ? 'was removed' : 'has its earlier bytes back'}.`
        : `'${path}' already was as it had been before the change. Nothing was written.`,
    });
  }
  if (settled.result === 'prior') {
    return answer('conflict', changes, {
      reason: (settled.reason ?? 'changedOnDisk') as Outcome['reason'],
      message: `'${path}' was left alone: ${settled.message} Look at it, then try again.`,
    });
  }
  return answer('uncertain', changes, {
    reason: 'foreignWrite',
    wrote: true,
    rollbackId: planId,
    message: settled.message,
  });
}
