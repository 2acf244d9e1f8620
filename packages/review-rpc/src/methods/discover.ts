import type { DiscoverResult, ReviewMethod } from '../method.ts';
import { PROTOCOL_REVISION } from '../revision.ts';

export type DiscoverParams = Record<never, never>;

/** What the host speaks, promises and bounds, and what this connection may call. */
export const discover: ReviewMethod<DiscoverParams, DiscoverResult> = {
  name: 'review.discover',
  since: '0.1.0',
  capability: 'read',
  params: (f) => f.params({}),
  result: (f) =>
    f.result({
      protocol: f.z.int(),
      methods: f.z.array(f.z.string()),
      capabilities: f.z.record(f.z.string(), f.z.unknown()),
      limits: f.z.record(f.z.string(), f.z.number()),
      role: f.z.string(),
    }),
  run: async ({ service, role, methods, maxMessageBytes }) => ({
    protocol: PROTOCOL_REVISION,
    methods: [...methods],
    capabilities: service.capabilities,
    limits: { ...service.limits, maxMessageBytes },
    role,
  }),
};
