import type { RoundSummary, RoundsResult } from '@backstitch/review-core';
import type { Counts } from './counts.ts';

/** Which rounds are shown: the newest with changes, all, or one by its id. */
export type RoundSelection = { round: 'latest' } | { round: 'all' } | { round: 'one'; id: string };

export const LATEST: RoundSelection = { round: 'latest' };

/** Newest first. A round that is no longer there falls back to the latest. */
export function selectedRounds(rounds: RoundsResult, selection: RoundSelection): RoundSummary[] {
  if (selection.round === 'all') return [...rounds.rounds].reverse();
  const byId = (id: string | null) => rounds.rounds.filter((round) => round.id === id);
  const asked = selection.round === 'one' ? byId(selection.id) : [];
  return asked.length > 0 ? asked : byId(rounds.latest);
}

export function roundOf(rounds: RoundsResult, snapshotId: string): RoundSummary | undefined {
  return rounds.rounds.find((round) => round.files.some((file) => file.snapshotIds.includes(snapshotId)));
}

export interface RoundTotals extends Counts {
  files: number;
  changes: number;
  reviewed: number;
}

/** Counts are unknown as soon as one of them is. */
export function totalsOf(rounds: readonly RoundSummary[]): RoundTotals {
  return {
    files: new Set(
      rounds.flatMap((round) => round.files.map((file) => JSON.stringify([file.root, file.path]))),
    ).size,
    changes: sum(rounds.map((round) => round.changes)) ?? 0,
    reviewed: sum(rounds.map((round) => round.reviewed)) ?? 0,
    additions: sum(rounds.map((round) => round.additions)),
    deletions: sum(rounds.map((round) => round.deletions)),
  };
}

function sum(values: readonly (number | null)[]): number | null {
  return values.reduce(
    (total: number | null, value) => (total === null || value === null ? null : total + value),
    0,
  );
}
