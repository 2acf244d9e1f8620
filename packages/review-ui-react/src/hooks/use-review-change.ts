import type { ReviewChange, ReviewHunk } from '@backstitch/review-core';
import { useCallback, useEffect } from 'react';
import { useReviewContext } from '../context.ts';
import type { ActionName, ActionReport } from '../store/state.ts';
import { useStoreValue } from './use-store-value.ts';

export interface ReviewChangeResult {
  /** Of the record. Hunks may still be on their way: they are null until they are there. */
  status: 'loading' | 'ready' | 'error';
  change: ReviewChange | null;
  /** With 5 lines of context, as stored. Null where they were not asked for, or are not there yet. */
  hunks: readonly ReviewHunk[] | null;
  error: string | null;
  /** The action that runs on it now. */
  running: ActionName | null;
  /** How the last action on it ended. */
  report: ActionReport | null;
  retry: () => void;
  dismissReport: () => void;
}

export interface UseReviewChangeOptions {
  /** Whether to fetch the hunks too. Default true. */
  hunks?: boolean;
}

/** One change by its id, kept in step with the host while the component is mounted. */
export function useReviewChange(
  snapshotId: string,
  options: UseReviewChangeOptions = {},
): ReviewChangeResult {
  const { store } = useReviewContext();
  const change = useStoreValue((state) => state.records.get(snapshotId)) ?? null;
  const detail = useStoreValue((state) => state.details.get(snapshotId)) ?? null;
  const running = useStoreValue((state) => state.running.get(snapshotId)) ?? null;
  const report = useStoreValue((state) => state.reports.get(snapshotId)) ?? null;
  const wanted = options.hunks !== false || change === null;
  useEffect(() => (wanted ? store.watchDetail(snapshotId) : undefined), [store, snapshotId, wanted]);

  const missing = detail?.status === 'error' ? 'error' : 'loading';
  return {
    status: change === null ? missing : 'ready',
    change,
    hunks: detail?.value ?? null,
    error: detail?.error ?? null,
    running,
    report,
    retry: useCallback(() => store.retryDetail(snapshotId), [store, snapshotId]),
    dismissReport: useCallback(() => store.dismiss(snapshotId), [store, snapshotId]),
  };
}
