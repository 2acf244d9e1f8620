import type { ReviewState } from './state.ts';
import { initialState } from './state.ts';

/** Holds the state and tells who listens: what `useSyncExternalStore` needs. */
export interface StateCell {
  get(): ReviewState;
  patch(part: Partial<ReviewState>): void;
  subscribe(listener: () => void): () => void;
}

export function createCell(): StateCell {
  let state = initialState();
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    patch(part) {
      state = { ...state, ...part };
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
