import type {
  Gap,
  ListResult,
  Outcome,
  ReviewChange,
  ReviewEvent,
  ReviewHunk,
  RoundFile,
  RoundSummary,
  RoundsResult,
  UnreadableRecord,
} from '@backstitch/review-core';
import type { ReviewClient } from '@backstitch/review-rpc';
import { hunksOf } from './sample-change.ts';

/** A host in the test's hand: what it holds, what it answers next, and what it was asked. */
export interface FakeHost {
  changes: ReviewChange[];
  unreadable: UnreadableRecord[];
  gaps: Gap[];
  hunks: Map<string, ReviewHunk[]>;
  methods: string[];
  /** Rejects the next calls of this method with this message, until it is deleted. */
  failing: Map<string, string>;
  /** Answers in place of what the host would do, once each. */
  outcomes: Partial<Outcome>[];
  /** Calls of these methods wait here until the test lets them go. */
  held: Map<string, (() => void)[]>;
  calls: { method: string; params: unknown }[];
  pageSize: number;
  emit(snapshotIds?: string[]): void;
  setConnection(status: 'open' | 'closed'): void;
  release(method: string): void;
  client(): ReviewClient;
}

export function createFakeHost(changes: ReviewChange[]): FakeHost {
  const listeners = new Set<(event: ReviewEvent) => void>();
  const statusListeners = new Set<(status: 'open' | 'closed') => void>();
  let connection: 'open' | 'closed' = 'open';

  const host: FakeHost = {
    changes,
    unreadable: [],
    gaps: [],
    hunks: new Map(),
    methods: ['review.discover', 'review.keep', 'review.unkeep', 'review.rollback'],
    failing: new Map(),
    outcomes: [],
    held: new Map(),
    calls: [],
    pageSize: 2,
    emit(snapshotIds = []) {
      for (const listener of listeners) listener({ sessionId: 's1', revision: null, snapshotIds });
    },
    setConnection(status) {
      connection = status;
      for (const listener of statusListeners) listener(status);
    },
    release(method) {
      const waiting = host.held.get(method) ?? [];
      host.held.delete(method);
      for (const go of waiting) go();
    },
    client: () => ({
      discover: () => answer('discover', {}, () => ({ methods: host.methods }) as never),
      list: (params) => answer('list', params, () => listPage(host, params)),
      get: (params) => answer('get', params, () => getChange(host, params.snapshotId)),
      context: (params) => answer('context', params, () => ({ hunks: [] })),
      rounds: (params) => answer('rounds', params, () => roundsOf(host.changes)),
      keep: (params) => answer('keep', params, () => act(host, params.snapshotIds, 'kept', 'kept')),
      unkeep: (params) => answer('unkeep', params, () => act(host, params.snapshotIds, 'active', 'unkept')),
      rollback: (params) =>
        answer('rollback', params, () => act(host, [params.snapshotId], 'rolledBack', 'rolledBack')),
      subscribe: (listener) => attach(listeners, listener),
      get status() {
        return connection;
      },
      onStatus: (listener) => attach(statusListeners, listener),
      close: () => undefined,
    }),
  };

  async function answer<T>(method: string, params: unknown, result: () => T): Promise<T> {
    host.calls.push({ method, params });
    if (host.held.has(method)) {
      const value = host.failing.has(method) ? null : structuredClone(result());
      await new Promise<void>((go) => host.held.get(method)!.push(go));
      if (value !== null) return value;
    }
    const failure = host.failing.get(method);
    if (failure !== undefined) throw new Error(failure);
    return structuredClone(result());
  }

  return host;
}

function attach<T>(set: Set<T>, listener: T): () => void {
  set.add(listener);
  return () => {
    set.delete(listener);
  };
}

function listPage(host: FakeHost, params: { cursor?: string }): ListResult {
  const all = [...host.changes, ...host.unreadable];
  const from = Number(params.cursor ?? 0);
  const to = from + host.pageSize;
  return {
    items: all.slice(from, to),
    nextCursor: to < all.length ? String(to) : null,
    gaps: { total: host.gaps.length, items: host.gaps },
  };
}

function getChange(host: FakeHost, snapshotId: string): { change: ReviewChange; hunks: ReviewHunk[] } {
  const change = host.changes.find((one) => one.id === snapshotId);
  if (change === undefined) throw new Error(`No change ${snapshotId}`);
  const hunks = host.hunks.get(snapshotId) ?? hunksOf('one\ntwo\nthree\n', 'one\n2\nthree\n');
  return { change, hunks };
}

export function outcome(part: Partial<Outcome> = {}): Outcome {
  return {
    status: 'kept',
    changes: [],
    reason: null,
    path: null,
    message: 'The host says it in its own words.',
    wrote: false,
    rollbackId: null,
    laterChange: null,
    errno: null,
    ...part,
  };
}

function act(
  host: FakeHost,
  ids: string[],
  state: ReviewChange['state'],
  status: Outcome['status'],
): Outcome {
  const given = host.outcomes.shift();
  if (given !== undefined) return outcome(given);
  for (const change of host.changes) if (ids.includes(change.id)) change.state = state;
  host.emit(ids);
  return outcome({ status, changes: host.changes.filter((change) => ids.includes(change.id)) });
}

function roundsOf(changes: readonly ReviewChange[]): RoundsResult {
  const rounds: RoundSummary[] = [];
  for (const change of changes) {
    let round = rounds.find((one) => one.id === change.round.id);
    if (round === undefined) {
      round = {
        ...change.round,
        firstSeq: change.seq,
        files: [],
        changes: 0,
        reviewed: 0,
        additions: 0,
        deletions: 0,
      };
      rounds.push(round);
    }
    addTo(round, change);
  }
  return { rounds, latest: rounds.at(-1)?.id ?? null };
}

function addTo(round: RoundSummary, change: ReviewChange): void {
  let file = round.files.find((one) => one.path === change.path);
  if (file === undefined) {
    file = {
      root: change.root,
      path: change.path,
      scope: change.scope,
      snapshotIds: [],
      states: [],
      additions: 0,
      deletions: 0,
    };
    round.files.push(file);
  }
  file.snapshotIds.push(change.id);
  file.states.push(change.state);
  round.changes += 1;
  if (change.state === 'kept' || change.state === 'rolledBack') round.reviewed += 1;
  for (const sum of [round, file] satisfies Pick<RoundFile, 'additions' | 'deletions'>[]) {
    sum.additions = add(sum.additions, change.additions);
    sum.deletions = add(sum.deletions, change.deletions);
  }
}

function add(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
