import {
  type AppendStateResult,
  CHANGE_STATES,
  type ChangeState,
  type LogState,
  ReviewError,
} from '@backstitch/review-core';
import { type Layout, latestState, type Row } from '../fold.ts';
import { encodeStateLine, isChangeState, isText, ownedSnapshotIds, STATE_LINE_TYPE } from '../lines.ts';
import { hash } from './hash.ts';
import type { LiveLayout } from './live-layout.ts';
import { readRow } from './rows.ts';
import type { Draft } from './writer.ts';

/** What is to be written of a batch of states, and the answer for each. */
export interface StatePlan {
  drafts: Draft[];
  results: AppendStateResult[];
}

/**
 * Decides over a batch, in its order, while the lock is held. `implied` is the state of a snapshot for which the
 * transcript has no line yet.
 */
export async function planStates(
  live: LiveLayout,
  layout: Layout,
  states: readonly LogState[],
  implied: ChangeState | null,
): Promise<StatePlan> {
  const plan: StatePlan = { drafts: [], results: [] };
  const planned = new Map<string, ChangeState>();
  const owners = new OwnerReader(live);
  for (const state of states) {
    const key = JSON.stringify([state.messageId, state.snapshotId]);
    const latest = planned.get(key) ?? latestState(layout, state.messageId, state.snapshotId) ?? implied;
    const result = await decide(owners, layout.owners.get(state.messageId), state, latest);
    plan.results.push(result);
    if (result !== 'appended') continue;
    planned.set(key, state.state);
    plan.drafts.push(draftOf(state));
  }
  return plan;
}

async function decide(
  owners: OwnerReader,
  row: Row | undefined,
  { snapshotId, state }: LogState,
  latest: ChangeState | null,
): Promise<AppendStateResult> {
  if (row === undefined) return 'ownerMissing';
  if (latest === state) return 'duplicate';
  return (await owners.owns(row, snapshotId)) ? 'appended' : 'ownerMissing';
}

function draftOf({ messageId, snapshotId, state }: LogState): Draft {
  return {
    text: encodeStateLine({ messageId, snapshotId, state }, hash),
    value: { type: STATE_LINE_TYPE, messageId, snapshotId, state },
  };
}

/** Reads each owning line once for a batch, and keeps no more of it than the snapshots that it names. */
class OwnerReader {
  readonly #live: LiveLayout;
  readonly #named = new Map<Row, string[] | 'any' | 'gone'>();

  constructor(live: LiveLayout) {
    this.#live = live;
  }

  async owns(row: Row, snapshotId: string): Promise<boolean> {
    let named = this.#named.get(row);
    if (named === undefined) {
      named = await this.#read(row);
      this.#named.set(row, named);
    }
    return named === 'any' || (named !== 'gone' && named.includes(snapshotId));
  }

  async #read(row: Row): Promise<string[] | 'any' | 'gone'> {
    const line = await readRow(this.#live.path, row);
    if (line !== null) return ownedSnapshotIds(line) ?? 'any';
    this.#live.distrust();
    return 'gone';
  }
}

/** @throws ReviewError `invalidArgument` */
export function checkLogState(state: LogState): LogState {
  const { messageId, snapshotId } = state;
  if (!isText(messageId) || !isText(snapshotId)) {
    throw new ReviewError(
      'invalidArgument',
      'A review state needs a `messageId` and a `snapshotId`, both strings.',
    );
  }
  if (!isChangeState(state.state)) {
    const known = CHANGE_STATES.join(', ');
    throw new ReviewError(
      'invalidArgument',
      `${JSON.stringify(state.state)} is no review state: use one of ${known}.`,
    );
  }
  return state;
}
