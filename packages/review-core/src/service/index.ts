/**
 * The review service: the orchestration of capture, review and rollback over ports.
 *
 * The order in which it writes is the safety property, so that no host rewrites it:
 * before-bytes and `pending` durable → the tool → after-bytes, hunks and `committed` durable → the host's tool
 * line; and for a rollback: `intent` durable → the workspace → `settled` durable → the transcript's state line.
 * Locks are taken in one order everywhere: path → session → transcript. The session lock is held only to
 * append, never over the tool, a digest, a diff or a publish.
 *
 * @since 0.1.0
 */
import { ReviewError } from '../errors.ts';
import type { PreviewLimits } from '../limits.ts';
import { resolveLimits } from '../limits.ts';
import type { Capabilities } from '../ports/capabilities.ts';
import { isBusy } from '../ports/capabilities.ts';
import type { ReviewLog } from '../ports/log.ts';
import type { SessionInfo } from '../ports/store.ts';
import type { Workspace } from '../ports/workspace.ts';
import type { RoundRef } from '../record/v1.ts';
import { capture } from './capture.ts';
import type { Deps } from './deps.ts';
import { environmentOf } from './environment.ts';
import { mark } from './keep.ts';
import { busyError } from './messages.ts';
import { refuseNesting } from './placement.ts';
import { closedPolicy } from './policy.ts';
import { context, get, list } from './read.ts';
import { recoverSession } from './recover.ts';
import { checkId, checkRound } from './request.ts';
import { rollback } from './rollback.ts';
import { rounds } from './rounds.ts';
import { Sessions } from './sessions.ts';
import { abandon, begin, finish } from './span.ts';
import type { RecoverResult, ReviewService, ReviewServiceOptions } from './types.ts';

/** Opens nothing yet: the store is read at the first call, or by `ready`. */
export function createReviewService(options: ReviewServiceOptions): ReviewService {
  const limits = resolveLimits(options.policy?.limits);
  const sessions = new Sessions(
    options.store,
    (id) => deps.workspaceOf(id),
    (message, error) => deps.policy.warn(message, error),
  );
  const deps: Deps = {
    store: options.store,
    environment: environmentOf(options.environment),
    policy: closedPolicy(options.policy ?? {}),
    limits,
    active: new Set(),
    workspaceOf: workspaceOf(options),
    logOf: logOf(options, (sessionId) => sessions.ownerAppended(deps, sessionId)),
    session: (id) => sessions.get(deps, id, false),
    openSession: async (id) => (await sessions.get(deps, id, true))!,
  };
  return serviceOver(deps, sessions, capabilitiesOf(options), limits);
}

function serviceOver(
  deps: Deps,
  sessions: Sessions,
  capabilities: Capabilities,
  limits: PreviewLimits,
): ReviewService {
  return {
    capabilities,
    limits,
    ready: () => sessions.ready(deps),
    startRound: (request) => startRound(deps, request),
    capture: (request, mutate) => capture(deps, request, mutate),
    begin: (request) => begin(deps, request),
    finish: (request) => finish(deps, request),
    abandon: (request) => abandon(deps, request),
    list: (request) => list(deps, request),
    get: (request) => get(deps, request),
    context: (request) => context(deps, request),
    rounds: (request) => rounds(deps, request),
    sessions: () => listSessions(deps),
    keep: (request) => mark(deps, 'kept', request),
    unkeep: (request) => mark(deps, 'unkept', request),
    rollback: (request) => rollback(deps, request),
    recover: (request) => recover(deps, request ?? {}),
    subscribe: (listener) => sessions.subscribe(listener),
    close: () => sessions.close(),
  };
}

/** Checked at each use: a root that holds the store, or lies in it, is refused before anything is read. */
function workspaceOf(options: ReviewServiceOptions): Deps['workspaceOf'] {
  const { workspace, store } = options;
  const checked = new WeakSet<Workspace>();
  return (sessionId) => {
    const found = typeof workspace === 'function' ? workspace(sessionId) : workspace;
    if (!checked.has(found)) refuseNesting(store, found);
    checked.add(found);
    return found;
  };
}

function logOf(options: ReviewServiceOptions, onOwner: (sessionId: string) => void): Deps['logOf'] {
  const { log } = options;
  const watched = new WeakSet<ReviewLog>();
  return (sessionId) => {
    const found = typeof log === 'function' ? log(sessionId) : (log ?? null);
    if (found !== null && !watched.has(found)) {
      watched.add(found);
      found.onOwner(() => onOwner(sessionId));
    }
    return found;
  };
}

function capabilitiesOf(options: ReviewServiceOptions): Capabilities {
  const fixed = typeof options.workspace === 'function' ? {} : options.workspace.capabilities;
  return { ...fixed, ...options.store.capabilities };
}

async function startRound(deps: Deps, request: { sessionId: string; round: RoundRef }): Promise<void> {
  const round = checkRound(request.round);
  const session = await deps.openSession(checkId('sessionId', request.sessionId));
  const result = await session.write(async (tx) => {
    const current = tx.fold.round;
    if (current?.id !== round.id || current.ordinal !== round.ordinal)
      await tx.append([{ t: 'round', round }]);
  });
  if (isBusy(result)) throw busyError(result);
}

async function listSessions(deps: Deps): Promise<SessionInfo[]> {
  const found: SessionInfo[] = [];
  for await (const session of deps.store.sessions()) found.push(session);
  return found;
}

async function recover(
  deps: Deps,
  request: { sessionId?: string; detachedBefore?: string },
): Promise<RecoverResult> {
  const { sessionId, detachedBefore } = request;
  if (detachedBefore !== undefined && Number.isNaN(Date.parse(detachedBefore))) {
    throw new ReviewError('invalidArgument', "'detachedBefore' must be a time in ISO 8601.");
  }
  const before = detachedBefore === undefined ? undefined : new Date(detachedBefore).toISOString();
  const ids =
    sessionId === undefined
      ? (await listSessions(deps)).map(({ id }) => id)
      : [checkId('sessionId', sessionId)];
  const result: RecoverResult = { settled: [], busy: [] };
  for (const id of ids) {
    const session = await deps.session(id);
    if (session === null) continue;
    const one = await recoverSession(deps, session, before);
    result.settled.push(...one.settled);
    result.busy.push(...one.busy);
  }
  return result;
}
