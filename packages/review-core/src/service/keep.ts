/** Marks changes, or single runs of one, as reviewed, or takes that back. Writes no workspace file. */
import { ReviewError } from '../errors.ts';
import type { Outcome } from '../outcome.ts';
import { isBusy } from '../ports/capabilities.ts';
import type { ReviewChange } from '../record/v1.ts';
import { answer, denied } from './answer.ts';
import type { Deps } from './deps.ts';
import type { Entry } from './fold.ts';
import { busyMessage } from './messages.ts';
import { projectStates } from './project.ts';
import { hunksOf } from './read.ts';
import { checkId, checkIds } from './request.ts';
import { paramsDigest, replayed } from './request-id.ts';
import type { Session } from './session.ts';
import { unknownRecord } from './session.ts';

export interface KeepRequest {
  sessionId: string;
  snapshotIds: string[];
  runs?: string[];
  requestId?: string;
}

type Verb = 'kept' | 'unkept';

export async function mark(deps: Deps, verb: Verb, request: KeepRequest): Promise<Outcome> {
  const ids = checkIds('snapshotIds', request.snapshotIds);
  const session = await deps.session(checkId('sessionId', request.sessionId));
  if (session === null) throw unknownRecord(request.sessionId, ids[0]!);
  await session.refresh();
  const entries = ids.map((id) => session.entry(id));
  const runs = await checkRuns(session, entries, request.runs);
  const params = await paramsDigest(deps, [verb, ids, request.runs ?? null]);
  const requestId = request.requestId === undefined ? null : checkId('requestId', request.requestId);

  const result = await session.write(async (tx): Promise<Outcome | null> => {
    const first = replayed(session, tx.fold, requestId, params);
    if (first !== null) return answerMark(session, verb, first.ids);
    const now = ids.map((id) => tx.fold.entries.get(id)!);
    const refused = now.find((entry) => !['active', 'kept'].includes(entry.change.state));
    if (refused !== undefined) return denied(session, refused.change.id);
    const todo = runs === null ? now.filter((entry) => entry.change.state !== target(verb)) : now;
    if (todo.length === 0 || (runs !== null && !changesRuns(now[0]!, verb, runs))) {
      return answerMark(session, verb === 'kept' ? 'alreadyKept' : 'unkept', ids);
    }
    await tx.append([{ t: verb, ids, runs, requestId, params }]);
    return null;
  });
  if (isBusy(result))
    return answer('busy', changesOf(session, ids), { reason: 'locked', message: busyMessage(result) });
  if (result !== null) return result;
  await projectStates(deps, session, ids);
  return answerMark(session, verb, ids);
}

const target = (verb: Verb): string => (verb === 'kept' ? 'kept' : 'active');

/** Null: the whole changes. A change whose runs were all kept one by one stays active: only a whole keep is one. */
async function checkRuns(
  session: Session,
  entries: Entry[],
  asked: string[] | undefined,
): Promise<string[] | null> {
  if (asked === undefined) return null;
  const runs = checkIds('runs', asked);
  if (entries.length !== 1) {
    throw new ReviewError(
      'invalidArgument',
      `'runs' goes with exactly one snapshot id; ${entries.length} were given.`,
    );
  }
  const { hunks } = await hunksOf(session, entries[0]!);
  const known = new Set(hunks?.flatMap((hunk) => hunk.runs) ?? []);
  const foreign = runs.find((run) => !known.has(run));
  if (foreign !== undefined) {
    throw new ReviewError(
      'unknownRecord',
      `The change ${entries[0]!.change.id} has no run ${foreign}. Use the run ids of its hunks.`,
      { path: entries[0]!.change.path },
    );
  }
  return runs;
}

function changesRuns(entry: Entry, verb: Verb, runs: string[]): boolean {
  const kept = new Set(entry.change.keptRuns);
  return runs.some((run) => kept.has(run) !== (verb === 'kept'));
}

function changesOf(session: Session, ids: readonly string[]): ReviewChange[] {
  return ids.map((id) => session.change(id));
}

function answerMark(session: Session, status: Verb | 'alreadyKept', ids: readonly string[]): Outcome {
  const changes = changesOf(session, ids);
  const what = changes.length === 1 ? `'${changes[0]!.path}'` : `${changes.length} changes`;
  const message = {
    kept: `${what}: marked as reviewed. No file was written.`,
    unkept: `${what}: no longer marked as reviewed. No file was written.`,
    alreadyKept: `${what}: was marked as reviewed before. Nothing was done.`,
  }[status];
  return answer(status, changes, { message });
}
