/**
 * Takes one change back, strictly: the recorded before-bytes are put where exactly the recorded after-bytes
 * stand, or nothing is written.
 *
 * 1. By the record alone: owner, state, reversible, a later change of the path, an open call.
 * 2. Stored bytes, verified. Path lock. What stands there must be the recorded after.
 * 3. The host's policy, asked again.
 * 4. Session lock: everything of 1 once more on the fold as it is then; the bytes about to be displaced are in
 *    the store; the `intent` is appended and durable. It is the commit point. Nothing in the workspace changed.
 * 5. Stage, publish, verify what was displaced, settle. `settled`, durable. Then the transcript.
 *
 * Failure behaviour: up to 4 nothing happened. From 4 on, whatever throws is settled by the same rules as a
 * crash: one look at the target and the displaced name tells which end was reached.
 */
import { ReviewError } from '../errors.ts';
import type { Outcome } from '../outcome.ts';
import { isBusy } from '../ports/capabilities.ts';
import type { FileIntent, LockedFile, Next, PublishResult, Staged } from '../ports/workspace.ts';
import { isRefused } from '../ports/workspace.ts';
import type { ReviewChange } from '../record/v1.ts';
import { answer, denied, unavailable } from './answer.ts';
import type { Deps } from './deps.ts';
import type { IntentEvent, SettledEvent } from './events.ts';
import type { Entry, Fold } from './fold.ts';
import { busyMessage } from './messages.ts';
import { projectStates } from './project.ts';
import { find } from './read.ts';
import { recoverSession } from './recover.ts';
import { checkId } from './request.ts';
import { paramsDigest, replayed } from './request-id.ts';
import { failed, outcomeOf, rootChanged, settleAfter } from './rollback-outcome.ts';
import { judgeReadOnly, judgeTarget, keepReadOnly } from './rollback-target.ts';
import type { Session } from './session.ts';
import { absolute } from './span.ts';

export interface RollbackRequest {
  sessionId: string;
  snapshotId: string;
  requestId?: string;
}

/** What each step needs of the request. */
interface Job {
  session: Session;
  id: string;
  requestId: string | null;
  params: string;
}

export async function rollback(deps: Deps, request: RollbackRequest): Promise<Outcome> {
  const [session, entry] = await find(deps, request);
  const requestId = request.requestId === undefined ? null : checkId('requestId', request.requestId);
  const params = await paramsDigest(deps, ['rollback', [entry.change.id]]);
  const job: Job = { session, id: entry.change.id, requestId, params };
  let early = judgeRecord(job, session.fold);
  if (early?.status === 'busy') {
    // It may be busy for ever, for a process that was killed since this session was opened.
    await recoverSession(deps, session);
    early = judgeRecord(job, session.fold);
  }
  if (early !== null) return early;

  const workspace = deps.workspaceOf(session.id);
  if (workspace.root !== entry.change.root) return rootChanged(session.change(job.id), workspace.root);
  const next = await bytesToRestore(session, entry);
  if (next === null) return unavailable(session.change(job.id), 'missingSnapshot');

  const locked = await workspace.lock([absolute(entry.change.root, entry.change.path)], {
    cap: deps.limits.maxSnapshotBytes,
  });
  if (isBusy(locked)) {
    return answer('busy', [session.change(job.id)], { reason: 'locked', message: busyMessage(locked) });
  }
  if (isRefused(locked)) {
    const reason =
      locked.refused === 'rootMissing' || locked.refused === 'rootChanged' ? 'rootChanged' : 'replacedKind';
    return answer('conflict', [session.change(job.id)], {
      reason,
      message: `${locked.message} Nothing was written.`,
    });
  }
  return underLock(deps, job, locked[0]!, next);
}

/** Step 1. Null: nothing in the record stands against it. Asked before any lock, and again under both. */
function judgeRecord(job: Job, fold: Fold): Outcome | null {
  const { session, id } = job;
  const first = replayed(session, fold, job.requestId, job.params);
  if (first?.planId != null) return replay(session, fold, first.planId);
  const { change } = session.entry(id);
  if (change.state !== 'active' && change.state !== 'kept') return denied(session, id);
  if (!change.reversible) return unavailable(session.change(id), change.irreversibleReason ?? 'denied');
  const others = fold.of(change).filter((other) => other.change.id !== id);
  const open = others.find((other) => other.change.state === 'pending');
  if (open !== undefined) {
    return answer('busy', [session.change(id)], {
      reason: 'openCall',
      message: `'${change.path}' is being changed by the call ${open.change.callId}. Try again when it has ended.`,
    });
  }
  const later = others.findLast((other) => other.change.seq > change.seq && stands(other.change));
  if (later === undefined) return null;
  return answer('conflict', [session.change(id)], {
    reason: 'laterChange',
    laterChange: later.change.id,
    message: `'${change.path}' was changed again by the call ${later.change.callId}. Nothing was written; roll that change back first.`,
  });
}

/** A change whose bytes may still be in the file. */
function stands(change: ReviewChange): boolean {
  return !['rolledBack', 'aborted'].includes(change.state);
}

/** The outcome that this request id had. */
function replay(session: Session, fold: Fold, planId: string): Outcome | null {
  const plan = fold.plans.get(planId);
  if (plan?.settled == null) return null;
  const ids = plan.intent.changes.map((change) => change.id);
  return outcomeOf(session, ids, planId, plan.settled);
}

async function bytesToRestore(session: Session, entry: Entry): Promise<Next | null> {
  const { before, facets } = entry.change;
  // The folders that the create made go with it, where they are empty.
  if (before === null) return { at: 'absent', madeDirs: entry.madeDirs };
  const bytes = entry.beforeAt === null ? null : await session.store.blob(entry.beforeAt);
  if (bytes === null || bytes.length !== before.size || entry.beforeAt?.digest !== before.digest) return null;
  // The mode is the user's, unless this very change made it, or took the file away.
  const own = facets.includes('mode') || facets.includes('kind') || entry.change.after === null;
  return { at: before.kind, bytes, digest: before.digest, mode: own ? before.mode : null };
}

/** Steps 2 to 5, with the path lock held. */
async function underLock(deps: Deps, job: Job, file: LockedFile, next: Next): Promise<Outcome> {
  let planId: string | null = null;
  try {
    const { session, id } = job;
    const { change } = session.entry(id);
    const verdict = judgeTarget(session.change(id), file);
    if (verdict !== 'atAfter' && verdict !== 'atBefore') return verdict;
    if (!(await deps.policy.mayWrite(session.id, change.path, session.change(id)))) {
      return unavailable(session.change(id), 'denied');
    }
    if (verdict === 'atBefore') return await recordAtBefore(deps, job);
    const readOnly = judgeReadOnly(session.change(id), file);
    if (readOnly !== null) return readOnly;
    const staged = await file.stage(keepReadOnly(next, file));
    const begun = await appendIntent(deps, job, file, staged.intent);
    if (typeof begun !== 'string') return begun;
    planId = begun;
    return await carryOut(deps, job, planId, staged);
  } catch (error) {
    if (planId === null) return failed(job.session.change(job.id), error);
    // Some step behind the commit point threw: which end was reached is read from the files, as after a crash.
    await file.release();
    return await settleAfter(deps, job.session, job.id, planId, error);
  } finally {
    await file.release();
  }
}

/** The file is at its before already: nothing is written but the record. */
async function recordAtBefore(deps: Deps, job: Job): Promise<Outcome> {
  const { session, id } = job;
  const planId = deps.environment.newId();
  const result = await session.write(async (tx) => {
    const refused = judgeRecord(job, tx.fold);
    if (refused !== null) return refused;
    await tx.append([
      intentEvent(job, planId, session.entry(id), []),
      { t: 'settled', planId, result: 'done', reason: null, message: '', wrote: false },
    ]);
    return null;
  });
  if (isBusy(result))
    return answer('busy', [session.change(id)], { reason: 'locked', message: busyMessage(result) });
  if (result !== null) return result;
  await projectStates(deps, session, [id]);
  return outcomeOf(session, [id], planId, session.fold.plans.get(planId)!.settled!);
}

/** Step 4. Answers the plan's id, or the outcome that stands against it. */
async function appendIntent(
  deps: Deps,
  job: Job,
  file: LockedFile,
  intent: FileIntent,
): Promise<string | Outcome> {
  const { session, id } = job;
  const planId = deps.environment.newId();
  const result = await session.write(async (tx): Promise<string | Outcome> => {
    const refused = judgeRecord(job, tx.fold);
    if (refused !== null) return refused;
    const { seen } = file;
    if (seen.at === 'file' || seen.at === 'symlink') {
      if (seen.bytes === null) return unavailable(session.change(id), 'tooLarge');
      // A displaced copy is removed later only because its bytes are here.
      await tx.put(seen.state.digest, seen.bytes, session.entry(id).afterAt ?? undefined);
    }
    await tx.append([intentEvent(job, planId, session.entry(id), [intent])]);
    return planId;
  });
  if (!isBusy(result)) return result;
  return answer('busy', [session.change(id)], { reason: 'locked', message: busyMessage(result) });
}

function intentEvent(job: Job, planId: string, entry: Entry, files: FileIntent[]): IntentEvent {
  return {
    t: 'intent',
    planId,
    kind: 'rollback',
    requestId: job.requestId,
    params: job.params,
    changes: [{ id: job.id, prior: entry.change.state }],
    files,
  };
}

/** Step 5. */
async function carryOut(deps: Deps, job: Job, planId: string, staged: Staged): Promise<Outcome> {
  await staged.write();
  const result = await staged.publish();
  if (result.published === true) await staged.settle();
  else if (result.published === false) await staged.abort();
  const settled = settledBy(planId, result);
  const written = await job.session.write((tx) => tx.append([settled]));
  if (isBusy(written)) {
    throw new ReviewError('busy', busyMessage(written));
  }
  await projectStates(deps, job.session, [job.id]);
  return outcomeOf(job.session, [job.id], planId, settled);
}

function settledBy(planId: string, result: PublishResult): SettledEvent {
  if (result.published === true)
    return { t: 'settled', planId, result: 'done', reason: null, message: '', wrote: true };
  if (result.published === false) {
    return {
      t: 'settled',
      planId,
      result: 'prior',
      reason: result.reason,
      message: result.message,
      wrote: false,
    };
  }
  return {
    t: 'settled',
    planId,
    result: 'attention',
    reason: 'foreignWrite',
    message: result.message,
    wrote: true,
  };
}
