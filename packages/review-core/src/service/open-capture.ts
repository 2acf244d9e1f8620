/**
 * The first half of a capture: everything up to the durable `pending`. Only after it may the tool write.
 *
 * Order: policy → path lock (the read of the before happens under it) → before-bytes and `pending` durable.
 * Failure behaviour: nothing in the workspace was changed by us; the path lock is released.
 */
import { ReviewError } from '../errors.ts';
import { isBusy } from '../ports/capabilities.ts';
import type { Locator } from '../ports/store.ts';
import type { Located, LockedFile, Refused } from '../ports/workspace.ts';
import { isRefused } from '../ports/workspace.ts';
import type { GapReason, IrreversibleReason, RoundRef } from '../record/v1.ts';
import { RECORD_VERSION } from '../record/v1.ts';
import type { Deps } from './deps.ts';
import type { Side } from './evidence.ts';
import { sideOf } from './evidence.ts';
import type { Fold } from './fold.ts';
import { busyError, refusedError } from './messages.ts';
import type { Session, Transaction } from './session.ts';
import type { CaptureRequest } from './types.ts';

export interface OpenCapture {
  id: string;
  session: Session;
  file: LockedFile;
  before: Side;
}

/** The capture can't be made, and the host's policy let the tool go on all the same. */
export interface Uncaptured {
  uncaptured: GapReason;
  located: Located | null;
}

export async function openCapture(
  deps: Deps,
  session: Session,
  request: CaptureRequest,
  detached: boolean,
): Promise<OpenCapture | Uncaptured> {
  const located = await deps.workspaceOf(session.id).locate(request.path);
  const path = isRefused(located) ? request.path : located.path;
  if (await deps.policy.isSensitive(path)) {
    await recordGap(deps, session, request, { reason: 'sensitive', path, detail: null });
    return { uncaptured: 'sensitive', located: isRefused(located) ? null : located };
  }
  if (!(await deps.policy.mayWrite(session.id, path, null))) {
    throw new ReviewError('notAllowed', `'${path}' may not be written now: the host's policy refused it.`, {
      path,
    });
  }
  try {
    if (isRefused(located)) throw refusedError(located);
    return await lockAndBegin(deps, session, request, located, detached);
  } catch (error) {
    return giveUp(deps, session, request, located, error);
  }
}

async function lockAndBegin(
  deps: Deps,
  session: Session,
  request: CaptureRequest,
  located: Located,
  detached: boolean,
): Promise<OpenCapture> {
  const file = await lockOne(deps, session.id, located.absolutePath);
  try {
    const before = sideOf(file.seen);
    if (before === null) {
      const message = file.seen.at === 'unsupported' ? file.seen.message : '';
      throw new ReviewError('unsupportedKind', `'${file.path}' can't be captured: ${message}`, {
        path: file.path,
      });
    }
    const id = await appendPending(deps, session, request, file, before, detached);
    return { id, session, file, before };
  } catch (error) {
    // Nothing was written; whatever failed, the path must not stay locked.
    await file.release();
    throw error;
  }
}

export async function lockOne(deps: Deps, sessionId: string, path: string): Promise<LockedFile> {
  const locked = await deps.workspaceOf(sessionId).lock([path], { cap: deps.limits.maxSnapshotBytes });
  if (isBusy(locked)) throw busyError(locked);
  if (isRefused(locked)) throw refusedError(locked);
  return locked[0]!;
}

async function appendPending(
  deps: Deps,
  session: Session,
  request: CaptureRequest,
  file: LockedFile,
  before: Side,
  detached: boolean,
): Promise<string> {
  const id = deps.environment.newId();
  // Marked before the event can be seen: recovery in this process must not take it for dead.
  if (!detached) deps.active.add(id);
  try {
    const result = await session.write((tx) =>
      writePending(deps, tx, id, { request, file, before, detached }),
    );
    if (isBusy(result)) throw busyError(result);
    return id;
  } catch (error) {
    deps.active.delete(id);
    await withdraw(deps, session, id);
    throw error;
  }
}

interface Pending {
  request: CaptureRequest;
  file: LockedFile;
  before: Side;
  detached: boolean;
}

async function writePending(deps: Deps, tx: Transaction, id: string, pending: Pending): Promise<void> {
  const { request, file, before, detached } = pending;
  refuseReuse(tx.fold, request, file);
  const beforeAt =
    before.state === null || before.bytes === null
      ? null
      : await tx.put(before.state.digest, before.bytes, hintFor(tx.fold, file, before.state.digest));
  await tx.append([
    {
      t: 'pending',
      id,
      seq: tx.fold.nextSeq,
      record: {
        version: RECORD_VERSION,
        messageId: request.messageId,
        callId: request.callId,
        rootCallId: request.rootCallId ?? request.callId,
        toolName: request.toolName,
        agent: request.agent ?? null,
        round: roundFor(tx.fold, request),
        moveId: null,
        createdAt: deps.environment.now(),
        root: file.root,
        path: file.path,
        scope: file.scope,
        operation: request.operation,
      },
      before: before.state,
      beforeAt,
      blocked: blockedBy(file, before),
      owner: detached ? null : deps.store.owner,
      temp: file.names.temp,
      displaced: file.names.displaced,
      madeDirs: file.missingDirs,
    },
  ]);
}

/** A `pending` that was appended and could not be synced was not acknowledged: the tool never ran. */
async function withdraw(deps: Deps, session: Session, id: string): Promise<void> {
  try {
    await session.refresh();
    if (session.fold.entries.get(id)?.change.state !== 'pending') return;
    await session.write((tx) => tx.append([{ t: 'aborted', id }]));
  } catch (error) {
    // The disk refuses this as well: recovery closes it, since nobody has it under way.
    deps.policy.warn(`A capture that was never begun (${id}) is still open in the journal.`, error);
  }
}

function refuseReuse(fold: Fold, request: CaptureRequest, file: LockedFile): void {
  const open = fold
    .byCall(request.callId)
    .find(
      ({ change }) => change.state === 'pending' && change.path === file.path && change.root === file.root,
    );
  if (open === undefined) return;
  throw new ReviewError(
    'callReused',
    `The call ${request.callId} already has an open capture of '${file.path}'. Finish it first, or use another call id.`,
    { path: file.path },
  );
}

/** The after of the last change of this path is most often the before of this one. */
function hintFor(fold: Fold, file: LockedFile, digest: string): Locator | undefined {
  const last = fold.of({ root: file.root, path: file.path }).at(-1);
  return [last?.afterAt, last?.beforeAt].find((at) => at?.digest === digest) ?? undefined;
}

/** The round that a call belongs to: its own, that of its root call, the current one, or one of its own. */
function roundFor(fold: Fold, request: CaptureRequest): RoundRef {
  if (request.round !== undefined) return request.round;
  if (request.rootCallId !== undefined && request.rootCallId !== request.callId) {
    const root = fold.byCall(request.rootCallId)[0];
    if (root !== undefined) return root.change.round;
  }
  return fold.round ?? { id: `m:${request.messageId}`, ordinal: null };
}

function blockedBy(file: LockedFile, before: Side): IrreversibleReason | null {
  if (file.scope !== 'workspace') return 'outsideWorkspace';
  if (before.lost !== null) return before.lost;
  return 'links' in file.seen && file.seen.links > 1 ? 'hardLinked' : null;
}

/** The host's policy for a capture that failed. The gap that it leaves is written where the store still can. */
async function giveUp(
  deps: Deps,
  session: Session,
  request: CaptureRequest,
  located: Located | Refused,
  error: unknown,
): Promise<Uncaptured> {
  const reason = gapReasonOf(error);
  if (reason === null) throw error;
  const path = located.path;
  const detail = error instanceof Error ? error.message : String(error);
  try {
    await recordGap(deps, session, request, { reason, path, detail });
  } catch (gapError) {
    // A store that can't take the gap either (a full disk): the first error says what to do.
    deps.policy.warn(`The gap for '${path}' could not be recorded.`, gapError);
  }
  if (deps.policy.onCaptureFailure === 'block') throw error;
  if (deps.policy.onCaptureFailure === 'warn')
    deps.policy.warn(`'${path}' is changed without a record: ${detail}`, error);
  return { uncaptured: reason, located: isRefused(located) ? null : located };
}

/** Null for an error that is the caller's own and no failed capture. */
function gapReasonOf(error: unknown): GapReason | null {
  if (!ReviewError.isInstance(error)) return 'captureFailed';
  switch (error.code) {
    case 'invalidArgument':
    case 'callReused':
      return null;
    case 'pathRefused':
      return 'refused';
    case 'unsupportedKind':
      return 'unsupportedKind';
    default:
      return 'captureFailed';
  }
}

export async function recordGap(
  deps: Deps,
  session: Session,
  request: CaptureRequest,
  gap: { reason: GapReason; path: string | null; detail: string | null },
): Promise<void> {
  const result = await session.write((tx) =>
    tx.append([
      {
        t: 'gap',
        seq: tx.fold.nextSeq,
        callId: request.callId,
        messageId: request.messageId,
        toolName: request.toolName,
        path: gap.path,
        operation: request.operation,
        reason: gap.reason,
        detail: gap.detail,
        createdAt: deps.environment.now(),
      },
    ]),
  );
  if (isBusy(result)) throw busyError(result);
}
