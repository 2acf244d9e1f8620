import assert from 'node:assert/strict';
import { createReviewService } from '@backstitch/review-core';
import { createMemoryStore, createMemoryWorkspace } from '@backstitch/review-core/testing';
import {
  createMemoryTransportPair,
  createReviewClient,
  createReviewServer,
  PROTOCOL_REVISION,
  type Transport,
  webSocketTransport,
} from '@backstitch/review-rpc';
import { serveWebSocket } from '@backstitch/review-rpc/node';
import { methodSchemas } from '@backstitch/review-rpc/schema';
import WebSocket from 'ws';

const service = createReviewService({ store: createMemoryStore(), workspace: createMemoryWorkspace() });
await service.ready();
const call = { sessionId: 's', messageId: 'm', callId: 'c', toolName: 'write' } as const;
await service.capture({ ...call, operation: 'write', path: 'a.txt' }, (target) => target.write('one\n'));
const server = createReviewServer({ service });
assert.equal(PROTOCOL_REVISION, 1);
assert.ok(Object.keys(methodSchemas).length > 0);

async function list(transport: Transport): Promise<void> {
  const client = createReviewClient(transport);
  const { items } = await client.list({ sessionId: 's' });
  assert.deepEqual(
    items.map((item) => ('path' in item ? item.path : item.reason)),
    ['a.txt'],
  );
  client.close();
}

const [here, there] = createMemoryTransportPair();
server.connect(there, { role: 'main' });
await list(here);

const endpoint = await serveWebSocket({ server });
await list(webSocketTransport(new WebSocket(`${endpoint.url}?token=${endpoint.token}`)));
await endpoint.close();
await service.close();
console.log('ok');
