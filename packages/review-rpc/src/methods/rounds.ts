import type { RoundsResult } from '@backstitch/review-core';
import type { ReviewMethod } from '../method.ts';

export interface RoundsParams {
  sessionId: string;
}

/** The user rounds of a session with their files, totals and states. */
export const rounds: ReviewMethod<RoundsParams, RoundsResult> = {
  name: 'review.rounds',
  since: '0.1.0',
  capability: 'read',
  params: (f) => f.params({ sessionId: f.sessionId }),
  result: (f) => f.result({ rounds: f.z.array(f.round), latest: f.z.string().nullable() }),
  run: ({ service }, params) => service.rounds(params),
};
