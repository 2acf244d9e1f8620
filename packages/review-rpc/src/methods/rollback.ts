import type { Outcome } from '@backstitch/review-core';
import type { ReviewMethod } from '../method.ts';

export interface RollbackParams {
  sessionId: string;
  snapshotId: string;
  requestId?: string;
}

/** Takes one change back, strictly: the recorded bytes are written, or nothing is. */
export const rollback: ReviewMethod<RollbackParams, Outcome> = {
  name: 'review.rollback',
  since: '0.1.0',
  capability: 'review',
  params: (f) => f.params({ sessionId: f.sessionId, snapshotId: f.snapshotId, requestId: f.requestId }),
  result: (f) => f.outcome,
  run: ({ service }, params) => service.rollback(params),
};
