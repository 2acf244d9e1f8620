/**
 * Recovery: brings what a crash left to one of its ends. It decides by the bytes on disk and by the journal,
 * never by the clock, and leaves alone whatever somebody still holds.
 *
 * - an open plan: each file is settled by the workspace (see `Workspace.settle`); then one `settled`.
 * - a pending capture of this or another process: only on proof that its process is dead.
 * - a detached one: never by itself; by `finish`, `abandon`, or `detachedBefore`.
 */
import { isBusy } from '../ports/capabilities.ts';
import type { Settlement } from '../ports/workspace.ts';
import { isRefused } from '../ports/workspace.ts';
import { closePending } from './close-pending.ts';
import type { Deps } from './deps.ts';
import type { SettledEvent } from './events.ts';
import type { Entry } from './fold.ts';
import { resyncLog } from './project.ts';
import type { Session } from './session.ts';
import type { RecoverResult } from './types.ts';

export async function recoverSession(
  deps: Deps,
  session: Session,
  detachedBefore?: string,
): Promise<RecoverResult> {
  await session.refresh();
  const result: RecoverResult = { settled: [], busy: [] };
  if (session.fold.readOnly !== null) return result;
  for (const [planId, plan] of [...session.fold.plans]) {
    if (plan.settled !== null) continue;
    const done = await settlePlan(deps, session, planId);
    for (const { id } of plan.intent.changes) note(result, session, id, done);
  }
  for (const entry of [...session.fold.entries.values()]) {
    if (entry.change.state !== 'pending' || !(await isOver(deps, entry, detachedBefore))) continue;
    note(result, session, entry.change.id, await closePending(deps, session, entry));
  }
  await resyncLog(deps, session);
  return result;
}

function note(result: RecoverResult, session: Session, id: string, done: boolean): void {
  if (done) result.settled.push(session.change(id));
  else result.busy.push(id);
}

async function isOver(deps: Deps, entry: Entry, detachedBefore: string | undefined): Promise<boolean> {
  const { change, owner } = entry;
  if (owner === null) return detachedBefore !== undefined && change.createdAt < detachedBefore;
  if (deps.active.has(change.id)) return false;
  // Our own, and not under way: its commit failed (a full disk), and nobody else will end it.
  if (JSON.stringify(owner) === JSON.stringify(deps.store.owner)) return true;
  return deps.store.isOwnerDead(owner);
}

/** False where somebody holds a file of the plan, or the session. */
export async function settlePlan(deps: Deps, session: Session, planId: string): Promise<boolean> {
  await session.refresh();
  const plan = session.fold.plans.get(planId);
  if (plan === undefined || plan.settled !== null) return true;
  const settlements: Settlement[] = [];
  for (const file of plan.intent.files) {
    const settled = await deps.workspaceOf(session.id).settle(file);
    if (isBusy(settled)) return false;
    settlements.push(
      isRefused(settled)
        ? { result: 'attention', reason: null, message: settled.message, target: null, displaced: null }
        : settled,
    );
  }
  const event = settledEvent(planId, settlements);
  const written = await session.write(async (tx) => {
    // Somebody else's recovery may have come first; the first end stands.
    if (tx.fold.plans.get(planId)?.settled === null) await tx.append([event]);
  });
  return !isBusy(written);
}

function settledEvent(planId: string, settlements: readonly Settlement[]): SettledEvent {
  const worst =
    settlements.find(({ result }) => result === 'attention') ??
    settlements.find(({ result }) => result === 'prior');
  return {
    t: 'settled',
    planId,
    result: worst?.result ?? 'done',
    reason: worst?.reason ?? null,
    message: worst?.message ?? '',
    wrote: worst === undefined,
  };
}
