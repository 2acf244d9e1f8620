import type { ReviewChange, ReviewHunk } from '@backstitch/review-core';
import type { ReviewMethod } from '../method.ts';

export interface GetParams {
  sessionId: string;
  snapshotId: string;
}

export interface GetResult {
  change: ReviewChange;
  hunks: ReviewHunk[];
}

/** One record with its hunks as they were stored. */
export const get: ReviewMethod<GetParams, GetResult> = {
  name: 'review.get',
  since: '0.1.0',
  capability: 'read',
  params: (f) => f.params({ sessionId: f.sessionId, snapshotId: f.snapshotId }),
  result: (f) => f.result({ change: f.change, hunks: f.hunks }),
  run: ({ service }, params) => service.get(params),
};
