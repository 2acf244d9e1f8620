/**
 * A capture around a tool that somebody else runs: `begin` before it, `finish` after it, in one process or in
 * two. Nobody holds a path lock in between (the process that began may be gone), so calls on one path can
 * cross; the fold joins those into a group. The after is always `observed`.
 *
 * A second `finish` answers what the first one did. A late one, after recovery took the call for dead, is
 * lawful: the change is then committed with what stands there now.
 */
import { ReviewError } from '../errors.ts';
import type { ReviewChange } from '../record/v1.ts';
import { conclude } from './capture.ts';
import { closePending } from './close-pending.ts';
import type { Deps } from './deps.ts';
import { sideOf, storedBefore } from './evidence.ts';
import type { Entry } from './fold.ts';
import { lockOne, openCapture } from './open-capture.ts';
import { checkCapture, checkId } from './request.ts';
import type { Session } from './session.ts';
import type { BeginRequest, FinishResult } from './types.ts';

export async function begin(deps: Deps, asked: BeginRequest): Promise<{ snapshotIds: string[] }> {
  const request = checkCapture(asked);
  const owner = request.owner ?? 'process';
  if (owner !== 'process' && owner !== 'detached') {
    throw new ReviewError('invalidArgument', `'owner' must be 'process' or 'detached'.`, {
      path: request.path,
    });
  }
  const session = await deps.openSession(request.sessionId);
  const known = await begunBefore(deps, session, request);
  if (known !== null) return { snapshotIds: [known] };
  const opened = await openCapture(deps, session, request, owner === 'detached');
  if ('uncaptured' in opened) return { snapshotIds: [] };
  await opened.file.release();
  return { snapshotIds: [opened.id] };
}

/** A hook that fires twice for one call gets the capture that the first one began. */
async function begunBefore(deps: Deps, session: Session, request: BeginRequest): Promise<string | null> {
  await session.refresh();
  const open = session.fold.byCall(request.callId).filter(({ change }) => change.state === 'pending');
  if (open.length === 0) return null;
  const located = await deps.workspaceOf(session.id).locate(request.path);
  if ('refused' in located) return null;
  const same = open.find(({ change }) => change.path === located.path && change.root === located.root);
  return same?.change.id ?? null;
}

export async function finish(
  deps: Deps,
  request: { sessionId: string; callId: string; failed?: boolean },
): Promise<FinishResult> {
  const session = await deps.session(checkId('sessionId', request.sessionId));
  const callId = checkId('callId', request.callId);
  await session?.refresh();
  const begun = session?.fold.byCall(callId) ?? [];
  if (session === null || begun.length === 0) {
    if (session?.fold.gaps.some((gap) => gap.callId === callId)) return { changes: [], discarded: [] };
    throw unknownCall(request.sessionId, callId);
  }
  const result: FinishResult = { changes: [], discarded: [] };
  for (const entry of toFinish(begun)) {
    const change = await finishOne(deps, session, entry, request.failed === true);
    if (change === null) result.discarded.push(entry.change.id);
    else result.changes.push(change);
  }
  return result;
}

/** Open ones first; where there is none, the late ones, and where all are done, what they came to. */
function toFinish(begun: Entry[]): Entry[] {
  const open = begun.filter(({ change }) => change.state === 'pending');
  return open.length > 0 ? open : begun;
}

async function finishOne(
  deps: Deps,
  session: Session,
  entry: Entry,
  failed: boolean,
): Promise<ReviewChange | null> {
  const { id, root, path } = entry.change;
  if (isDone(entry)) return session.change(id);
  const file = await lockOne(deps, session.id, absolute(root, path));
  try {
    await session.refresh();
    // Another finish of the same call came first while this one waited for the path.
    const now = session.entry(id);
    if (isDone(now)) return session.change(id);
    const before = await storedBefore(session, now);
    return await conclude(deps, session, id, {
      before,
      after: sideOf(file.seen),
      source: 'observed',
      failed,
    });
  } finally {
    deps.active.delete(id);
    await file.release();
  }
}

function isDone(entry: Entry): boolean {
  return !['pending', 'aborted', 'interrupted'].includes(entry.change.state);
}

/** Closes captures that will never finish: each with what stands at its path now. */
export async function abandon(
  deps: Deps,
  request: { sessionId: string; callId?: string },
): Promise<FinishResult> {
  const session = await deps.session(checkId('sessionId', request.sessionId));
  if (request.callId !== undefined) checkId('callId', request.callId);
  const result: FinishResult = { changes: [], discarded: [] };
  if (session === null) return result;
  await session.refresh();
  const open = [...session.fold.entries.values()].filter(
    ({ change, owner }) =>
      change.state === 'pending' &&
      (request.callId === undefined ? owner === null : change.callId === request.callId),
  );
  for (const entry of open) {
    const change = await interruptOne(deps, session, entry);
    if (change === null) result.discarded.push(entry.change.id);
    else result.changes.push(change);
  }
  return result;
}

async function interruptOne(deps: Deps, session: Session, entry: Entry): Promise<ReviewChange | null> {
  await closePending(deps, session, entry);
  return session.entry(entry.change.id).change.state === 'aborted' ? null : session.change(entry.change.id);
}

/** The spelling that leads back to the same place: roots are absolute, paths have `/` between segments. */
export function absolute(root: string, path: string): string {
  return root.endsWith('/') ? `${root}${path}` : `${root}/${path}`;
}

function unknownCall(sessionId: string, callId: string): ReviewError {
  return new ReviewError(
    'unknownCall',
    `The session ${sessionId} has no capture of the call ${callId}. Call begin before the tool runs, with the same ids.`,
  );
}
