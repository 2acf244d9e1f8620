import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createFakeService } from '../../test/fake-service.ts';
import { exchange, upgrade } from '../../test/raw-http.ts';
import { wireOver } from '../../test/wire.ts';
import { createReviewClient } from '../client.ts';
import { createReviewServer } from '../server.ts';
import { createReconnectingTransport } from '../transports/reconnecting.ts';
import { webSocketTransport } from '../transports/web-socket.ts';
import { type ServeWebSocketOptions, serveWebSocket, type WebSocketEndpoint } from './serve-web-socket.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(options: Partial<ServeWebSocketOptions> = {}) {
  const service = createFakeService();
  const errors: unknown[] = [];
  const server = createReviewServer({ service, onError: (error) => errors.push(error) });
  const endpoint = await serveWebSocket({ server, ...options });
  closing.push(() => endpoint.close());
  return { service, server, endpoint, errors };
}

function dial({ url, token }: WebSocketEndpoint): WebSocket {
  const socket = new WebSocket(`${url}?token=${token}`);
  closing.push(() => socket.terminate());
  return socket;
}

const event = (socket: WebSocket, name: string): Promise<unknown[]> =>
  new Promise((resolve) => socket.once(name, (...args: unknown[]) => resolve(args)));
const request = (id: number, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

async function listen(): Promise<Server> {
  const shared = createServer((_request, response) => response.end('the page'));
  await new Promise<void>((resolve) => shared.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => shared.close(resolve)));
  return shared;
}

describe('on a shared port', () => {
  it('takes the upgrades at its path and leaves the rest alone, also after it was closed', async () => {
    const shared = await listen();
    const { endpoint } = await serve({ httpServer: shared, path: '/rpc' });
    const page = (): Promise<string> =>
      fetch(`http://127.0.0.1:${endpoint.port}/rpc`).then((answer) => answer.text());
    expect(await page()).toBe('the page');
    const client = createReviewClient(webSocketTransport(dial(endpoint)));
    expect((await client.discover()).protocol).toBe(1);
    await endpoint.close();
    expect(await page()).toBe('the page');
    expect(shared.listening).toBe(true);
    expect(shared.listenerCount('upgrade')).toBe(0);
  });

  it('answers a foreign upgrade where nobody else would, and keeps out of it where somebody might', async () => {
    const shared = await listen();
    const { endpoint } = await serve({ httpServer: shared, path: '/rpc' });
    const lines = upgrade('/hmr', { Host: `127.0.0.1:${endpoint.port}` });
    expect((await exchange(endpoint.port, lines)).status).toBe(404);
    shared.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 418 Mine\r\n\r\n'));
    expect((await exchange(endpoint.port, lines)).status).toBe(418);
  });

  it('waits for a server that was told to listen', async () => {
    const shared = createServer();
    closing.push(() => new Promise((resolve) => shared.close(resolve)));
    shared.listen(0, '127.0.0.1');
    const { endpoint } = await serve({ httpServer: shared });
    expect((await createReviewClient(webSocketTransport(dial(endpoint))).discover()).protocol).toBe(1);
  });
});

describe('a connection', () => {
  it('has the role that the endpoint gives', async () => {
    const { endpoint } = await serve({ role: 'viewer' });
    const client = createReviewClient(webSocketTransport(dial(endpoint)));
    expect((await client.discover()).role).toBe('viewer');
    await expect(client.rollback({ sessionId: 's', snapshotId: 'c1' })).rejects.toMatchObject({ code: 1005 });
  });

  it('answers a message over its limit, and ends at one that it will not even read', async () => {
    const { endpoint, service } = await serve({ maxMessageBytes: 2000 });
    const wire = wireOver(webSocketTransport(dial(endpoint)));
    wire.send('x'.repeat(2001));
    wire.send('x'.repeat(60 * 1024 * 1024));
    expect((await wire.until(2)).map(({ error }) => error?.data.kind)).toEqual([
      'messageTooLarge',
      'messageTooLarge',
    ]);
    const closed = new Promise<void>((resolve) => wire.transport.onStatus?.(() => resolve()));
    wire.send('x'.repeat(65 * 1024 * 1024));
    await closed;
    expect(service.calls).toEqual([]);
    expect((await createReviewClient(webSocketTransport(dial(endpoint))).discover()).protocol).toBe(1);
  });

  it('answers a binary frame as malformed', async () => {
    const { endpoint } = await serve();
    const socket = dial(endpoint);
    const wire = wireOver(webSocketTransport(socket));
    await wire.ask('review.discover');
    socket.send(Buffer.from(request(1, 'review.discover', {})));
    expect((await wire.until(2))[1]).toMatchObject({ id: null, error: { code: -32700 } });
    expect((await wire.ask('review.discover')).result).toBeDefined();
  });

  it('survives frames that are none, and a reset', async () => {
    const { endpoint, service } = await serve();
    for (const bytes of [[0xff, 0xff, 0xff, 0xff], [0x81, 0x03, 1, 2, 3], [0x88, 0x80], []]) {
      await new Promise<void>((resolve) => {
        const socket = connect(endpoint.port, '127.0.0.1');
        socket.on('error', () => {});
        socket.on('close', () => resolve());
        socket.once('data', () => {
          socket.write(Buffer.from(bytes));
          socket.resetAndDestroy();
        });
        const lines = upgrade(`/?token=${endpoint.token}`, { Host: `127.0.0.1:${endpoint.port}` });
        socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      });
    }
    const client = createReviewClient(webSocketTransport(dial(endpoint)));
    while (service.listeners.size > 1) await client.discover();
    expect((await client.discover()).protocol).toBe(1);
  });

  it('that leaves too much unread is cut off, and what waited for it is let go', async () => {
    const { endpoint, service } = await serve({ maxBufferedBytes: 1024 * 1024 });
    const socket = dial(endpoint);
    await event(socket, 'open');
    socket.pause();
    const hunks = [{ lines: ['x'.repeat(4 * 1024 * 1024)] }];
    const other = createReviewClient(webSocketTransport(dial(endpoint)));
    let sent = 0;
    while (service.listeners.size > 1 || sent === 0) {
      service.answer('context', { hunks });
      socket.send(request(++sent, 'review.context', { sessionId: 's', snapshotId: 'c1', lines: 5 }));
      while (service.calls.length < sent && service.listeners.size > 1) await other.discover();
      await other.discover();
      expect(sent).toBeLessThan(40);
    }
    const closed = event(socket, 'close');
    socket.resume();
    expect((await closed)[0]).toBe(1006);
    expect((await other.discover()).protocol).toBe(1);
  });

  it('offered subprotocols, is given the one that is not the token', async () => {
    const { endpoint } = await serve();
    const socket = new WebSocket(endpoint.url, ['backstitch', `backstitch.token.${endpoint.token}`]);
    closing.push(() => socket.terminate());
    await event(socket, 'open');
    expect(socket.protocol).toBe('backstitch');
  });
});

it('closing cuts off every client and frees the port', async () => {
  const { endpoint, service, server } = await serve();
  const clients = [dial(endpoint), dial(endpoint)].map((socket) =>
    createReviewClient(webSocketTransport(socket)),
  );
  await Promise.all(clients.map((client) => client.discover()));
  const gone = clients.map((client) => new Promise((resolve) => client.onStatus(resolve)));
  await endpoint.close();
  await endpoint.close();
  expect(await Promise.all(gone)).toEqual(['closed', 'closed']);
  expect(service.listeners.size).toBe(0);
  const again = await serveWebSocket({ server, port: endpoint.port });
  expect(again.port).toBe(endpoint.port);
  await again.close();
});

it('a client finds its way back to a host that was started anew, and asks again for what it missed', async () => {
  const first = await serve({ token: 'k'.repeat(22) });
  const { port, token } = first.endpoint;
  const client = createReviewClient(
    createReconnectingTransport(() => webSocketTransport(dial(first.endpoint)), { minDelay: 1, maxDelay: 5 }),
  );
  closing.push(() => client.close());
  await client.list({ sessionId: 's' });
  const release = first.service.hold('rollback');
  const lost = client.rollback({ sessionId: 's', snapshotId: 'c1' }).catch((error: unknown) => error);
  const statuses: string[] = [];
  const events: unknown[] = [];
  const back = new Promise<void>((resolve) => {
    client.onStatus((status) => {
      statuses.push(status);
      if (status === 'open') resolve();
    });
  });
  client.subscribe((changed) => events.push(changed));
  await first.endpoint.close();
  release();
  expect(await lost).toMatchObject({ kind: 'disconnected' });
  await serve({ port, token });
  await back;
  expect(statuses).toEqual(['closed', 'open']);
  expect(events).toEqual([{ sessionId: 's', revision: null, snapshotIds: [] }]);
  expect((await client.list({ sessionId: 's' })).items).toHaveLength(2);
});
