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
  try {
    return await runRecorded(deps, opened, request, mutate);
  } finally {
    deps.active.delete(opened.id);
    await opened.file.release();
  }
}

async function runRecorded<T>(
  deps: Deps,
  opened: OpenCapture,
  request: CaptureRequest,
  mutate: (target: CaptureTarget) => T | Promise<T>,
): Promise<CaptureResult<T>> {
  const target = new GuardedTarget(deps, opened);
  const outcome = await attempt(() => mutate(target));
  target.close();
  const after = target.written ?? sideOf(await opened.file.look());
  const change = await conclude(deps, opened.session, opened.id, {
    before: opened.before,
    after,
    source: target.written === null ? 'observed' : 'written',
    failed: 'error' in outcome,
  });
  if (change === null && opened.file.seen.at === 'symlink') {
    // A tool that follows the link changed something else, if anything: said, since it can't be seen from here.
    const detail = 'the path is a symbolic link that did not change; what it points to is not covered';
    await recordGap(deps, opened.session, request, { reason: 'notCovered', path: opened.file.path, detail });
  }
  if ('error' in outcome) throw outcome.error;
  return { change, result: outcome.result };
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
