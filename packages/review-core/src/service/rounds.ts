/** The changes of a session by user round, and within it by execution root and path. */
import type { ReviewChange } from '../record/v1.ts';
import type { Deps } from './deps.ts';
import { pathKey } from './fold.ts';
import { checkId } from './request.ts';
import type { RoundFile, RoundSummary, RoundsResult } from './types.ts';

export async function rounds(deps: Deps, request: { sessionId: string }): Promise<RoundsResult> {
  const session = await deps.session(checkId('sessionId', request.sessionId));
  if (session === null) return { rounds: [], latest: null };
  await session.refresh();
  const byRound = new Map<string, ReviewChange[]>();
  for (const { change } of session.fold.entries.values()) {
    if (change.state === 'aborted') continue;
    byRound.set(change.round.id, [...(byRound.get(change.round.id) ?? []), change]);
  }
  const summaries = [...byRound.values()].map(summarise).sort(byAge);
  return { rounds: summaries, latest: summaries.at(-1)?.id ?? null };
}

/** By ordinal, then by first seq; a round that the host never numbered counts by its first seq among them. */
function byAge(a: RoundSummary, b: RoundSummary): number {
  if (a.ordinal !== null && b.ordinal !== null && a.ordinal !== b.ordinal) return a.ordinal - b.ordinal;
  return a.firstSeq - b.firstSeq;
}

function summarise(changes: ReviewChange[]): RoundSummary {
  const first = changes[0]!;
  const files = new Map<string, RoundFile>();
  for (const change of changes) {
    const key = pathKey(change.root, change.path);
    files.set(key, addTo(files.get(key), change));
  }
  return {
    id: first.round.id,
    ordinal: first.round.ordinal,
    firstSeq: first.seq,
    files: [...files.values()],
    changes: changes.length,
    reviewed: changes.filter(({ state }) => state === 'kept' || state === 'rolledBack').length,
    additions: total(changes.map((change) => change.additions)),
    deletions: total(changes.map((change) => change.deletions)),
  };
}

function addTo(file: RoundFile | undefined, change: ReviewChange): RoundFile {
  if (file === undefined) {
    const { root, path, scope, additions, deletions } = change;
    return { root, path, scope, snapshotIds: [change.id], states: [change.state], additions, deletions };
  }
  return {
    ...file,
    snapshotIds: [...file.snapshotIds, change.id],
    states: [...file.states, change.state],
    additions: total([file.additions, change.additions]),
    deletions: total([file.deletions, change.deletions]),
  };
}

/** One unknown makes the sum unknown: a number that leaves something out would mislead. */
function total(counts: readonly (number | null)[]): number | null {
  return counts.reduce<number | null>(
    (sum, count) => (sum === null || count === null ? null : sum + count),
    0,
  );
}
