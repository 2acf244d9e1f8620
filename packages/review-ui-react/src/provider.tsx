import type { ReviewClient } from '@backstitch/review-rpc';
import type { ReactNode } from 'react';
import { useEffect, useMemo } from 'react';
import { ReviewContext } from './context.ts';
import { mergeLabels } from './labels/merge.ts';
import type { PartialLabels } from './labels/types.ts';
import { createLabelWriter } from './labels/writer.ts';
import { LiveRegion } from './parts/live-region.tsx';
import { createReviewStore } from './store/review-store.ts';

export interface ReviewProviderProps {
  /** Keep it stable: another client, or another session, starts over with nothing known. */
  client: ReviewClient;
  sessionId: string;
  /** Laid over the English default; what is left out stays English. Keep it stable. */
  labels?: PartialLabels;
  children?: ReactNode;
}

/**
 * Gives the parts below it one session: one cache, one connection to the host's events, one live region in
 * which the results of actions are announced. It does not close the client.
 *
 * @since 0.1.0
 */
export function ReviewProvider({ client, sessionId, labels, children }: ReviewProviderProps): ReactNode {
  const store = useMemo(() => createReviewStore(client, sessionId), [client, sessionId]);
  const writer = useMemo(() => createLabelWriter(mergeLabels(labels)), [labels]);
  const value = useMemo(() => ({ store, writer }), [store, writer]);
  useEffect(() => store.connect(), [store]);
  return (
    <ReviewContext.Provider value={value}>
      {children}
      <LiveRegion />
    </ReviewContext.Provider>
  );
}
