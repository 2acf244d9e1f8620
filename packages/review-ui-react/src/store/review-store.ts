import type { ReviewChange, ReviewHunk } from '@backstitch/review-core';
import type { ReviewClient } from '@backstitch/review-rpc';
import type { RunAction } from './actions.ts';
import { createActions } from './actions.ts';
import { createCell } from './cell.ts';
import { createDetails } from './details.ts';
import { loadList, loadMethods, loadRounds } from './load-session.ts';
import { createLoader } from './loader.ts';
import type { CopyResult, ReviewState } from './state.ts';
import { withEntry } from './state.ts';

/**
 * What one provider knows of one session, kept in step with the host. Nothing is fetched before a part asks for
 * it; what was asked for is fetched again when the host says that it differs, and after a lost connection.
 *
 * `connect` may be called again after its result was called (an effect that is run twice): listeners are the
 * only thing that it holds.
 */
export interface ReviewStore {
  get(): ReviewState;
  subscribe(listener: () => void): () => void;
  connect(): () => void;
  /** The list and the rounds are wanted from now on. */
  wantSession(): void;
  watchDetail(snapshotId: string): () => void;
  retryDetail(snapshotId: string): void;
  refresh(): void;
  run: RunAction;
  /** A change with its hunks, from what is known, else from the host. Rejects as the client does. */
  read(snapshotId: string): Promise<{ change: ReviewChange; hunks: readonly ReviewHunk[] }>;
  dismiss(snapshotId: string): void;
  tellCopied(result: CopyResult): void;
}

export function createReviewStore(client: ReviewClient, sessionId: string): ReviewStore {
  const cell = createCell();
  const list = createLoader(loadList(cell, client, sessionId));
  const rounds = createLoader(loadRounds(cell, client, sessionId));
  const methods = createLoader(loadMethods(cell, client));
  const details = createDetails(cell, client, sessionId);
  let wanted = false;

  function refetchSession(): void {
    list.request();
    rounds.request();
  }

  function refetch(snapshotIds: readonly string[]): void {
    if (wanted) refetchSession();
    details.refresh(snapshotIds);
  }

  const run = createActions(cell, client, sessionId, (ids) => {
    list.discard();
    rounds.discard();
    details.discard(ids);
    refetch(ids);
  });

  function connect(): () => void {
    methods.request();
    const offChanges = client.subscribe((event) => {
      if (event.sessionId === sessionId) refetch(event.snapshotIds);
    });
    cell.patch({ connection: client.status === 'closed' ? 'closed' : 'open' });
    const offStatus = client.onStatus((status) => {
      const returned = status === 'open' && cell.get().connection === 'closed';
      cell.patch({ connection: status });
      if (!returned) return;
      methods.request();
      refetch([]);
    });
    return () => {
      offChanges();
      offStatus();
    };
  }

  return {
    get: cell.get,
    subscribe: cell.subscribe,
    connect,
    wantSession() {
      if (wanted) return;
      wanted = true;
      refetchSession();
    },
    watchDetail: details.watch,
    retryDetail: details.retry,
    refresh: () => refetch([]),
    run,
    async read(snapshotId) {
      const change = cell.get().records.get(snapshotId);
      const hunks = cell.get().details.get(snapshotId)?.value;
      if (change !== undefined && hunks) return { change, hunks };
      return client.get({ sessionId, snapshotId });
    },
    dismiss(snapshotId) {
      cell.patch({ reports: withEntry(cell.get().reports, snapshotId, undefined) });
    },
    tellCopied(result) {
      cell.patch({ notice: { id: (cell.get().notice?.id ?? 0) + 1, kind: 'copy', result } });
    },
  };
}
