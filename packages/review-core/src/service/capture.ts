/**
 * A capture around a tool that runs in this process: before → `pending` durable → the tool → after → `committed`
 * durable. The path lock is held from the read of the before to the commit.
 *
 * What the tool writes through its target is published by the guarded way, and the after is of the bytes handed
 * over (`written`). A tool that writes by itself is lawful: its after is read back (`observed`), and that
 * reading can't tell its bytes from those of somebody who wrote in the same moment.
 *
 * Crash behaviour: before the `pending`, nothing happened. After it, recovery finds the target at its before
 * (`aborted`), at what was about to be published (`committed`), or at something else (`interrupted`).
 */
import { ReviewError } from '../errors.ts';
import { isBusy } from '../ports/capabilities.ts';
import type { Located } from '../ports/workspace.ts';
import type { ReviewChange } from '../record/v1.ts';
import { closePending } from './close-pending.ts';
import type { Deps } from './deps.ts';
import type { JournalEvent } from './events.ts';
import type { Finding, Side } from './evidence.ts';
import { appendCommit, isUnchanged, prepareCommit, sideOf } from './evidence.ts';
import { busyError } from './messages.ts';
import type { OpenCapture } from './open-capture.ts';
import { openCapture, recordGap } from './open-capture.ts';
import { checkCapture } from './request.ts';
import type { Session } from './session.ts';
import { GuardedTarget, UnrecordedTarget } from './target.ts';
import type { CaptureRequest, CaptureResult, CaptureTarget } from './types.ts';

export async function capture<T>(
  deps: Deps,
  asked: CaptureRequest,
  mutate: (target: CaptureTarget) => T | Promise<T>,
): Promise<CaptureResult<T>> {
  const request = checkCapture(asked);
  const session = await deps.openSession(request.sessionId);
  const opened = await openCapture(deps, session, request, false);
  if ('uncaptured' in opened) return runUnrecorded(deps, session, request, opened.located, mutate);
  const target = new GuardedTarget(deps, opened);
  try {
    return await runRecorded(deps, opened, request, target, mutate);
  } finally {
    deps.active.delete(opened.id);
    await opened.file.release();
    // Left open by the guard: it is ended as after a crash, by what the files themselves say.
    if (target.unsettled) await closePending(deps, opened.session, opened.session.entry(opened.id));
  }
}

async function runRecorded<T>(
  deps: Deps,
  opened: OpenCapture,
  request: CaptureRequest,
  target: GuardedTarget,
  mutate: (target: CaptureTarget) => T | Promise<T>,
): Promise<CaptureResult<T>> {
  const outcome = await attempt(() => mutate(target));
  await target.close();
  const change = target.unsettled ? null : await record(deps, opened, request, target, outcome);
  if ('error' in outcome) throw outcome.error;
  return { change, result: outcome.result };
}

/** What the call came to, written down. A store that fails here is the host's policy; the tool has run. */
async function record(
  deps: Deps,
  opened: OpenCapture,
  request: CaptureRequest,
  target: GuardedTarget,
  outcome: { result: unknown } | { error: unknown },
): Promise<ReviewChange | null> {
  const { file, session, id } = opened;
  try {
    const after = target.written ?? sideOf(await file.look());
    if (target.written === null && target.refused !== null)
      return await recordRefused(opened, target, outcome, after);
    const source = target.written === null ? 'observed' : 'written';
    const change = await conclude(deps, session, id, {
      before: opened.before,
      after,
      source,
      failed: 'error' in outcome,
    });
    if (change !== null || file.seen.at !== 'symlink') return change;
    // A tool that follows the link changed something else, if anything: said, since it can't be seen from here.
    const detail = 'the path is a symbolic link that did not change; what it points to is not covered';
    await recordGap(deps, session, request, { reason: 'notCovered', path: file.path, detail });
    return null;
  } catch (error) {
    // A full disk, most often. The capture stays open in the journal, and recovery ends it by what stands there.
    if (deps.policy.onCaptureFailure === 'block' && !('error' in outcome)) throw error;
    deps.policy.warn(
      `The change of '${file.path}' could not be recorded yet; recover() does it later.`,
      error,
    );
    return null;
  }
}

/**
 * The guard refused the tool's write, so what stands there is not this call's: it must not be recorded as its
 * after, or an undo would take somebody else's bytes for it. Only a tool that went on after the refusal may have
 * written by itself; nobody can say then.
 */
async function recordRefused(
  { session, id, before }: OpenCapture,
  target: GuardedTarget,
  outcome: { result: unknown } | { error: unknown },
  after: Side | null,
): Promise<ReviewChange | null> {
  const gaveUp = 'error' in outcome && outcome.error === target.refused;
  if (gaveUp || (after !== null && isUnchanged(before.state, after.state))) {
    await appendOne(session, { t: 'aborted', id });
    return null;
  }
  await appendOne(session, { t: 'interrupted', id, seen: after?.state ?? null, reason: 'interrupted' });
  return session.change(id);
}

/**
 * Ends a begun capture: `aborted` where nothing changed, `interrupted` where what stands there can be no side
 * of a change, else `committed`. Answers the change, or null where there is none.
 */
export async function conclude(
  deps: Deps,
  session: Session,
  id: string,
  finding: Omit<Finding, 'after'> & { after: Side | null },
): Promise<ReviewChange | null> {
  const { after } = finding;
  const state = session.entry(id).change.state;
  if (after === null) {
    if (state !== 'interrupted') {
      await appendOne(session, { t: 'interrupted', id, seen: null, reason: 'unsupportedKind' });
    }
    return session.change(id);
  }
  if (isUnchanged(finding.before.state, after.state)) {
    if (state === 'pending') await appendOne(session, { t: 'aborted', id });
    return null;
  }
  const commit = await prepareCommit(deps, id, { ...finding, after });
  const result = await session.write((tx) => appendCommit(tx, commit));
  if (isBusy(result)) throw busyError(result);
  return session.change(id);
}

async function appendOne(session: Session, event: JournalEvent): Promise<void> {
  const result = await session.write((tx) => tx.append([event]));
  if (isBusy(result)) throw busyError(result);
}

/** The tool runs without a record: its path is sensitive, or the host's policy lets it. A gap says so. */
async function runUnrecorded<T>(
  deps: Deps,
  session: Session,
  request: CaptureRequest,
  located: Located | null,
  mutate: (target: CaptureTarget) => T | Promise<T>,
): Promise<CaptureResult<T>> {
  if (located === null) {
    const absolutePath = request.path;
    const refuse = (): never => {
      throw new ReviewError(
        'pathRefused',
        `'${request.path}' lies in no root of the workspace: write it yourself.`,
        {
          path: request.path,
        },
      );
    };
    const result = await mutate({ absolutePath, before: refuse, write: refuse, remove: refuse });
    return { change: null, result };
  }
  const target = await UnrecordedTarget.open(deps, session.id, located);
  try {
    return { change: null, result: await mutate(target) };
  } finally {
    await target.release();
  }
}

async function attempt<T>(act: () => T | Promise<T>): Promise<{ result: T } | { error: unknown }> {
  try {
    return { result: await act() };
  } catch (error) {
    // The tool's own failure: what it changed is recorded first, then it is thrown on.
    return { error };
  }
}
