import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createReviewService, type ReviewService } from '@backstitch/review-core';
import { openFileReviewStore, openNodeWorkspace } from '@backstitch/review-fs-node';
import { createReviewServer } from '@backstitch/review-rpc';
import { serveWebSocket } from '@backstitch/review-rpc/node';
import { openTranscript, type Transcript } from '@backstitch/review-transcript/node';
import { servePage } from './page-server.ts';
import type { Places } from './places.ts';

/** One conversation for each folder of records; cli-host uses the same name. */
export const SESSION_ID = 'local';

export interface Host {
  readonly service: ReviewService;
  readonly transcript: Transcript;
  readonly places: Places;
  /** The page, with its token behind `#`: browsers send that part to nobody. */
  readonly url: string;
  close(): Promise<void>;
}

export interface HostOptions {
  places: Places;
  port: number;
  /** Given again after a restart, open pages find their way back. */
  token?: string;
}

/** The whole wiring: workspace, store, transcript, service, protocol, page. */
export async function startHost({ places, port, token }: HostOptions): Promise<Host> {
  const workspace = await openNodeWorkspace({
    root: places.workspace,
    ...(places.external === null ? {} : { externalRoots: [places.external] }),
    ...(places.locks === null ? {} : { lockDirectory: places.locks }),
  });
  const store = await openFileReviewStore({ directory: places.store, owner: 'web-host' });
  const transcript = await openTranscript({ path: places.transcript });
  const log = transcript.reviewLog();
  const service = createReviewService({
    store,
    workspace,
    log: (sessionId) => (sessionId === SESSION_ID ? log : null),
    policy: {
      onWarning: (message, error) => process.stderr.write(`web-host: ${message} ${String(error)}\n`),
    },
  });
  await service.ready();

  const httpServer = createServer();
  const server = createReviewServer({ service });
  await listen(httpServer, port);
  const endpoint = await serveWebSocket({
    server,
    httpServer,
    path: '/review',
    role: 'main',
    ...(token === undefined ? {} : { token }),
  });
  servePage(httpServer, endpoint.port, fileURLToPath(new URL('./page', import.meta.url)));

  return {
    service,
    transcript,
    places,
    url: `http://127.0.0.1:${endpoint.port}/#token=${endpoint.token}&session=${SESSION_ID}`,
    async close() {
      await endpoint.close();
      httpServer.close();
      httpServer.closeAllConnections();
      await service.close();
      await transcript.close();
      await store.close();
    },
  };
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}
