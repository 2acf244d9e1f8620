import { afterEach, expect, it } from 'vitest';
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  CancellationTokenSource,
  createMessageConnection,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import { createFakeService } from '../test/fake-service.ts';
import { createReviewClient } from './client.ts';
import { createReviewServer } from './server.ts';
import type { Transport } from './transport.ts';
import { createMemoryTransportPair } from './transports/memory.ts';

/** Another JSON-RPC 2.0 implementation on either side of the wire: what we speak is the standard, not a dialect. */
const open: MessageConnection[] = [];
afterEach(() => {
  for (const connection of open.splice(0)) connection.dispose();
});

class Reader extends AbstractMessageReader {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    super();
    this.#transport = transport;
  }
  listen(callback: DataCallback): Disposable {
    return { dispose: this.#transport.onMessage((text) => callback(JSON.parse(text) as Message)) };
  }
}

class Writer extends AbstractMessageWriter {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    super();
    this.#transport = transport;
  }
  async write(message: Message): Promise<void> {
    this.#transport.send(JSON.stringify(message));
  }
  end(): void {}
}

function foreign(transport: Transport): MessageConnection {
  const connection = createMessageConnection(new Reader(transport), new Writer(transport));
  open.push(connection);
  return connection;
}

it('a foreign client calls, cancels, fails and hears of changes', async () => {
  const service = createFakeService();
  const [near, far] = createMemoryTransportPair();
  createReviewServer({ service }).connect(far, { role: 'main' });
  const client = foreign(near);
  const changed = new Promise((resolve) => client.onNotification('review.changed', resolve));
  client.listen();
  const params = { sessionId: 's', snapshotIds: ['c1'] };
  expect(await client.sendRequest('review.keep', params)).toMatchObject({ status: 'kept' });
  expect(await changed).toEqual({ sessionId: 's', revision: 'r1', snapshotIds: ['c1'] });
  await expect(client.sendRequest('review.get', { sessionId: 's', snapshotId: 'x' })).rejects.toMatchObject({
    code: 1002,
    data: { kind: 'unknownRecord' },
  });
  await expect(client.sendRequest('review.nope', {})).rejects.toMatchObject({ code: -32601 });
  const release = service.hold('list');
  const source = new CancellationTokenSource();
  const list = client.sendRequest('review.list', { sessionId: 's' }, source.token);
  source.cancel();
  await expect(list).rejects.toMatchObject({ code: -32800 });
  release();
});

it('our client speaks to a foreign server', async () => {
  const [near, far] = createMemoryTransportPair();
  const server = foreign(far);
  server.onRequest('review.get', (params: unknown) => ({ change: null, hunks: [params] }));
  server.listen();
  const client = createReviewClient(near);
  const params = { sessionId: 's', snapshotId: 'c1' };
  expect(await client.get(params)).toEqual({ change: null, hunks: [params] });
  await expect(client.list({ sessionId: 's' })).rejects.toMatchObject({ code: -32601, kind: 'internal' });
  const event = new Promise((resolve) => client.subscribe(resolve));
  await server.sendNotification('review.changed', { sessionId: 's', revision: null, snapshotIds: [] });
  expect(await event).toEqual({ sessionId: 's', revision: null, snapshotIds: [] });
});
