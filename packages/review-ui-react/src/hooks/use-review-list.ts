import { useEffect } from 'react';
import { useReviewContext } from '../context.ts';
import type { Loaded, ReviewListing } from '../store/state.ts';
import { useStoreValue } from './use-store-value.ts';

export interface ReviewListResult extends Loaded<ReviewListing> {
  /** Asks the host again, for all that this provider shows. */
  refresh: () => void;
}

/** Every record of the session in the order of record, unreadable ones too, and what is not covered. */
export function useReviewList(): ReviewListResult {
  const { store } = useReviewContext();
  useEffect(() => store.wantSession(), [store]);
  return { ...useStoreValue((state) => state.list), refresh: store.refresh };
}
