import type { RoundsResult } from '@backstitch/review-core';
import { useEffect } from 'react';
import { useReviewContext } from '../context.ts';
import type { Loaded } from '../store/state.ts';
import { useStoreValue } from './use-store-value.ts';

export interface ReviewRoundsResult extends Loaded<RoundsResult> {
  refresh: () => void;
}

/** The rounds of the session, oldest first, with their files, totals and states. */
export function useReviewRounds(): ReviewRoundsResult {
  const { store } = useReviewContext();
  useEffect(() => store.wantSession(), [store]);
  return { ...useStoreValue((state) => state.rounds), refresh: store.refresh };
}
