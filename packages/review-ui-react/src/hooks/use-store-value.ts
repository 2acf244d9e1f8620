import { useSyncExternalStore } from 'react';
import { useReviewContext } from '../context.ts';
import type { ReviewState } from '../store/state.ts';

/** A part of the state. `select` must answer something that is in the state, not a new object. */
export function useStoreValue<T>(select: (state: ReviewState) => T): T {
  const { store } = useReviewContext();
  const read = () => select(store.get());
  return useSyncExternalStore(store.subscribe, read, read);
}
