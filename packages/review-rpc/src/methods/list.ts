import type { ListResult } from '@backstitch/review-core';
import type { ReviewMethod } from '../method.ts';

export interface ListParams {
  sessionId: string;
  cursor?: string;
  limit?: number;
}

/** The records of a session in their order, a page at a time, and what they don't cover. */
export const list: ReviewMethod<ListParams, ListResult> = {
  name: 'review.list',
  since: '0.1.0',
  capability: 'read',
  params: (f) => f.params({ sessionId: f.sessionId, cursor: f.cursor, limit: f.limit }),
  result: (f) =>
    f.result({
      items: f.z.array(f.z.union([f.change, f.unreadable])),
      nextCursor: f.z.string().nullable(),
      gaps: f.result({ total: f.z.int().min(0), items: f.z.array(f.z.unknown()) }),
    }),
  run: ({ service }, params) => service.list(params),
};
