import type { Outcome } from '@backstitch/review-core';
import type { ReviewMethod } from '../method.ts';

export interface KeepParams {
  sessionId: string;
  snapshotIds: string[];
  runs?: string[];
  requestId?: string;
}

/** Marks changes, or runs of them, as reviewed. Writes no workspace file. */
export const keep: ReviewMethod<KeepParams, Outcome> = {
  name: 'review.keep',
  since: '0.1.0',
  capability: 'review',
  params: (f) =>
    f.params({ sessionId: f.sessionId, snapshotIds: f.snapshotIds, runs: f.runs, requestId: f.requestId }),
  result: (f) => f.outcome,
  run: ({ service }, params) => service.keep(params),
};
