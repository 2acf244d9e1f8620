import type { Outcome, ReviewChange } from '@backstitch/review-core';
import type { ReviewClient } from '@backstitch/review-rpc';
import type { StateCell } from './cell.ts';
import type { ActionName, ActionReport, Notice } from './state.ts';
import { messageOf } from './state.ts';

/**
 * Carries out one action on the ids that were named when it was pressed, whatever the list shows by the time
 * it ends. Answers null, and does nothing, where an action on one of them already runs.
 */
export type RunAction = (action: ActionName, snapshotIds: readonly string[]) => Promise<ActionReport | null>;

/** Called after each action with what it says of the changes; the caller drops older answers and refetches. */
export type OnSettled = (snapshotIds: readonly string[]) => void;

export function createActions(
  cell: StateCell,
  client: ReviewClient,
  sessionId: string,
  onSettled: OnSettled,
): RunAction {
  function send(action: ActionName, ids: readonly string[]): Promise<Outcome> {
    if (action === 'rollback') return client.rollback({ sessionId, snapshotId: ids[0]! });
    const request = { sessionId, snapshotIds: [...ids] };
    return action === 'keep' ? client.keep(request) : client.unkeep(request);
  }

  async function perform(action: ActionName, ids: readonly string[]): Promise<ActionReport> {
    const path = cell.get().records.get(ids[0]!)?.path ?? ids[0]!;
    try {
      const outcome = await send(action, ids);
      return { action, path: outcome.path ?? path, outcome, error: null };
    } catch (error) {
      // Refused, or the connection broke before the answer: it may or may not have been done.
      return { action, path, outcome: null, error: messageOf(error) };
    }
  }

  return async (action, snapshotIds) => {
    const ids = [...snapshotIds];
    const { running } = cell.get();
    if (ids.length === 0 || ids.some((id) => running.has(id))) return null;
    begin(cell, action, ids);
    const report = await perform(action, ids);
    onSettled(ids);
    settle(cell, ids, report);
    return report;
  };
}

function begin(cell: StateCell, action: ActionName, ids: readonly string[]): void {
  const running = new Map(cell.get().running);
  const reports = new Map(cell.get().reports);
  for (const id of ids) {
    running.set(id, action);
    reports.delete(id);
  }
  cell.patch({ running, reports });
}

function settle(cell: StateCell, ids: readonly string[], report: ActionReport): void {
  const running = new Map(cell.get().running);
  const reports = new Map(cell.get().reports);
  for (const id of ids) {
    running.delete(id);
    reports.set(id, report);
  }
  const notice: Notice = { id: (cell.get().notice?.id ?? 0) + 1, kind: 'action', report };
  cell.patch({ running, reports, notice, records: recordsAfter(cell, report.outcome?.changes ?? []) });
}

function recordsAfter(cell: StateCell, changes: readonly ReviewChange[]): ReadonlyMap<string, ReviewChange> {
  const records = new Map(cell.get().records);
  for (const change of changes) records.set(change.id, change);
  return records;
}
