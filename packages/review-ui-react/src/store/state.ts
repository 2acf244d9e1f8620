import type {
  Gap,
  Outcome,
  ReviewChange,
  ReviewHunk,
  RoundsResult,
  UnreadableRecord,
} from '@backstitch/review-core';

/**
 * What one provider knows of its session: one immutable value, replaced whole on every change, so that a
 * component that holds a part of it compares by identity.
 */
export interface ReviewState {
  connection: 'open' | 'closed';
  /** The methods that this connection is served; null while that is not known. */
  methods: readonly string[] | null;
  list: Loaded<ReviewListing>;
  rounds: Loaded<RoundsResult>;
  /** The newest known record of each change. */
  records: ReadonlyMap<string, ReviewChange>;
  /** Hunks of the changes that are on the screen, and of some that were. */
  details: ReadonlyMap<string, Loaded<readonly ReviewHunk[]>>;
  /** What runs, by snapshot id. */
  running: ReadonlyMap<string, ActionName>;
  /** How the last action on a change ended, until it is dismissed or another one starts. */
  reports: ReadonlyMap<string, ActionReport>;
  notice: Notice | null;
}

/** Something that is fetched. While it is fetched again, and where that fails, the last `value` stays. */
export interface Loaded<T> {
  status: 'loading' | 'ready' | 'error';
  value: T | null;
  error: string | null;
}

export interface ReviewListing {
  /** In the order of record. */
  items: readonly (ReviewChange | UnreadableRecord)[];
  gaps: { total: number; items: readonly Gap[] };
}

export type ActionName = 'keep' | 'unkeep' | 'rollback';

/** How an action ended: with an outcome, or without an answer (`error`), when it is not known what it did. */
export type ActionReport =
  | { action: ActionName; path: string; outcome: Outcome; error: null }
  | { action: ActionName; path: string; outcome: null; error: string };

export type CopyResult =
  | { copied: 'patch' | 'line'; leftOut: number }
  | { copied: 'nothing' | 'failed'; leftOut: 0 };

/** The newest thing to announce. `id` grows, so that the same text twice is announced twice. */
export type Notice = { id: number } & (
  | { kind: 'action'; report: ActionReport }
  | { kind: 'copy'; result: CopyResult }
);

export const LOADING: Loaded<never> = Object.freeze({ status: 'loading', value: null, error: null });

export function initialState(): ReviewState {
  return {
    connection: 'open',
    methods: null,
    list: LOADING,
    rounds: LOADING,
    records: new Map(),
    details: new Map(),
    running: new Map(),
    reports: new Map(),
    notice: null,
  };
}

/** A copy of `map` with `key` set, or removed where `value` is undefined. */
export function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V | undefined): ReadonlyMap<K, V> {
  const next = new Map(map);
  if (value === undefined) next.delete(key);
  else next.set(key, value);
  return next;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
