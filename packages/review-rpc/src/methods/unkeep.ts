import type { Outcome } from '@backstitch/review-core';
import type { ReviewMethod } from '../method.ts';
import type { KeepParams } from './keep.ts';

/** Takes `keep` back. Writes no workspace file. */
export const unkeep: ReviewMethod<KeepParams, Outcome> = {
  name: 'review.unkeep',
  since: '0.1.0',
  capability: 'review',
  params: (f) =>
    f.params({ sessionId: f.sessionId, snapshotIds: f.snapshotIds, runs: f.runs, requestId: f.requestId }),
  result: (f) => f.outcome,
  run: ({ service }, params) => service.unkeep(params),
};
