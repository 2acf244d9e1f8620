import type { ContextResult } from '@backstitch/review-core';
import type { ReviewMethod } from '../method.ts';

export interface ContextParams {
  sessionId: string;
  snapshotId: string;
  lines: 1 | 3 | 5;
}

/** The hunks of one record with more or less context, from the record only; or why there are none. */
export const context: ReviewMethod<ContextParams, ContextResult | { unavailable: string }> = {
  name: 'review.context',
  since: '0.1.0',
  capability: 'read',
  params: (f) => f.params({ sessionId: f.sessionId, snapshotId: f.snapshotId, lines: f.contextLines }),
  result: (f) => f.z.union([f.result({ hunks: f.hunks }), f.result({ unavailable: f.z.string() })]),
  run: ({ service }, params) => service.context(params),
};
