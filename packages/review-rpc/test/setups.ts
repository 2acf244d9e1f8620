import {
  createMemoryTransportPair,
  createReviewServer,
  type ReviewServerOptions,
  type Role,
  type Transport,
  webSocketTransport,
} from '@backstitch/review-rpc';
import { serveWebSocket } from '@backstitch/review-rpc/node';
import { WebSocket } from 'ws';

/** A server that clients can be connected to, over one kind of transport. */
export interface Setup {
  connect(): Promise<Transport>;
  close(): Promise<void>;
}

export type SetupOptions = ReviewServerOptions & { role?: Role };

export const SETUPS: Readonly<Record<string, (options: SetupOptions) => Promise<Setup>>> = {
  async memory({ role = 'main', ...options }) {
    const server = createReviewServer(options);
    return {
      async connect() {
        const [near, far] = createMemoryTransportPair();
        server.connect(far, { role });
        return near;
      },
      close: () => Promise.resolve(),
    };
  },
  async WebSocket({ role = 'main', ...options }) {
    const endpoint = await serveWebSocket({ server: createReviewServer(options), role });
    return {
      connect: async () => webSocketTransport(new WebSocket(`${endpoint.url}?token=${endpoint.token}`)),
      close: () => endpoint.close(),
    };
  },
};
