import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createFakeService } from '../../test/fake-service.ts';
import { exchange, upgrade } from '../../test/raw-http.ts';
import { createReviewClient } from '../client.ts';
import { createReviewServer } from '../server.ts';
import { webSocketTransport } from '../transports/web-socket.ts';
import { serveWebSocket, type WebSocketEndpoint } from './serve-web-socket.ts';

const TOKEN = 'A1b2C3d4E5f6G7h8I9j0Kk';
const service = createFakeService();
let endpoint: WebSocketEndpoint;

beforeAll(async () => {
  endpoint = await serveWebSocket({
    server: createReviewServer({ service }),
    token: TOKEN,
    path: '/review',
    allowedHosts: ['Review.Example'],
    allowedOrigins: ['http://localhost:5173'],
  });
});
afterAll(() => endpoint.close());

const good = `/review?token=${TOKEN}`;
const host = (): string => `127.0.0.1:${endpoint.port}`;

async function knock(target: string, headers: Record<string, string | null>): Promise<number> {
  const filled = Object.entries({ Host: '127.0.0.1:PORT', ...headers }).map(([name, value]) => [
    name,
    value?.replaceAll('PORT', String(endpoint.port)) ?? null,
  ]);
  const { status } = await exchange(endpoint.port, upgrade(target, Object.fromEntries(filled)));
  return status;
}

/** After whatever was done to it, the endpoint still serves a lawful client; and none but this one got in. */
async function expectServing(): Promise<void> {
  const client = createReviewClient(webSocketTransport(new WebSocket(`${endpoint.url}?token=${TOKEN}`)));
  expect((await client.discover()).protocol).toBe(1);
  client.close();
}

const ENTERS: readonly (readonly [string, string, Record<string, string | null>])[] = [
  ['the token in the query, no Origin', good, {}],
  ['own Origin', good, { Origin: 'http://127.0.0.1:PORT' }],
  ['own Origin by name', good, { Host: 'localhost:PORT', Origin: 'http://localhost:PORT' }],
  [
    'own page under the other loopback name',
    good,
    { Host: '127.0.0.1:PORT', Origin: 'http://localhost:PORT' },
  ],
  ['IPv6 loopback', good, { Host: '[::1]:PORT', Origin: 'http://[::1]:PORT' }],
  ['an allowed Host, in any case', good, { Host: 'review.EXAMPLE', Origin: 'https://review.example' }],
  ['an allowed Origin', good, { Origin: 'http://localhost:5173' }],
  ['the token as Bearer', '/review', { Authorization: `Bearer ${TOKEN}` }],
  [
    'the token as a subprotocol',
    '/review',
    { 'Sec-WebSocket-Protocol': `backstitch, backstitch.token.${TOKEN}` },
  ],
  ['more in the query', `/review?a=1&token=${TOKEN}&b=`, {}],
];

const REFUSED: readonly (readonly [number, string, string, Record<string, string | null>])[] = [
  [403, 'a foreign Host (DNS rebinding)', good, { Host: 'evil.example' }],
  [403, 'a foreign Host with our port', good, { Host: 'evil.example:PORT' }],
  [403, 'loopback with another port', good, { Host: '127.0.0.1:1' }],
  [403, 'loopback without a port', good, { Host: '127.0.0.1' }],
  [403, 'a Host that starts like ours', good, { Host: '127.0.0.1:PORT.evil.example' }],
  [403, 'another loopback address', good, { Host: '127.0.0.2:PORT' }],
  [403, 'a trailing dot', good, { Host: 'localhost.:PORT' }],
  [403, 'a user in the Host', good, { Host: '127.0.0.1:PORT@evil.example' }],
  [403, 'an allowed Host with a port that was not', good, { Host: 'review.example:PORT' }],
  [403, 'an empty Host', good, { Host: '' }],
  [403, 'a foreign Origin', good, { Origin: 'https://evil.example' }],
  [403, 'an Origin that starts like ours', good, { Origin: 'http://127.0.0.1:PORT.evil.example' }],
  [403, 'another port of this machine', good, { Origin: 'http://localhost:8080' }],
  [403, 'the Origin null of a sandboxed page', good, { Origin: 'null' }],
  [403, 'an empty Origin', good, { Origin: '' }],
  [403, 'a file', good, { Origin: 'file://' }],
  [403, 'two Origins in one', good, { Origin: 'http://127.0.0.1:PORT, https://evil.example' }],
  [403, 'a foreign Origin, wrong path, no token', '/', { Origin: 'https://evil.example' }],
  [404, 'the root', `/?token=${TOKEN}`, {}],
  [404, 'a path below', `/review/x?token=${TOKEN}`, {}],
  [404, 'a path beside', `/reviews?token=${TOKEN}`, {}],
  [404, 'a path by detour', `/x/../review?token=${TOKEN}`, {}],
  [404, 'an encoded path', `/%72eview?token=${TOKEN}`, {}],
  [404, 'an absolute target', `http://evil.example/review?token=${TOKEN}`, {}],
  [404, 'two slashes', `//review?token=${TOKEN}`, {}],
  [413, 'a body announced', good, { 'Content-Length': '5' }],
  [413, 'a huge body announced', good, { 'Content-Length': '99999999999' }],
  [413, 'a body in chunks', good, { 'Transfer-Encoding': 'chunked' }],
  [401, 'no token', '/review', {}],
  [401, 'an empty token', '/review?token=', {}],
  [401, 'a wrong token', '/review?token=ZZZZZZZZZZZZZZZZZZZZZZ', {}],
  [401, 'one character short', good.slice(0, -1), {}],
  [401, 'one character more', `${good}x`, {}],
  [401, 'last character wrong', `${good.slice(0, -1)}X`, {}],
  [401, 'another case', `/review?token=${TOKEN.toLowerCase()}`, {}],
  [401, 'a space in front', `/review?token=%20${TOKEN}`, {}],
  [401, 'the right one among two', `${good}&token=x`, {}],
  [401, 'right in the query, wrong as Bearer', good, { Authorization: 'Bearer x' }],
  [401, 'Basic', '/review', { Authorization: `Basic ${Buffer.from(`:${TOKEN}`).toString('base64')}` }],
  [401, 'a wrong subprotocol', '/review', { 'Sec-WebSocket-Protocol': 'backstitch.token.x' }],
  [401, 'own Origin does not stand for the token', '/review', { Origin: 'http://127.0.0.1:PORT' }],
];

describe('the door', () => {
  it.each(ENTERS)('lets in: %s', async (_name, target, headers) => {
    expect(await knock(target, headers)).toBe(101);
    await expectServing();
  });

  it.each(REFUSED)('answers %i: %s', async (status, _name, target, headers) => {
    const before = service.listeners.size;
    expect(await knock(target, headers)).toBe(status);
    expect(service.listeners.size).toBeLessThanOrEqual(before);
    await expectServing();
  });

  it('takes no second Host header', async () => {
    const lines = upgrade(good, { Host: host() });
    const { status } = await exchange(endpoint.port, [...lines, 'Host: evil.example']);
    expect([400, 403]).toContain(status);
  });

  it('is closed to plain HTTP too, and says what it is to who may know', async () => {
    const get = async (target: string, name = host()): Promise<number> =>
      (await exchange(endpoint.port, [`GET ${target} HTTP/1.1`, `Host: ${name}`])).status;
    expect(await get(good, 'evil.example')).toBe(403);
    expect(await get('/')).toBe(404);
    expect(await get('/review')).toBe(401);
    expect(await get(good)).toBe(426);
    const post = [`POST ${good} HTTP/1.1`, `Host: ${host()}`, 'Content-Length: 100000'];
    expect((await exchange(endpoint.port, post, 'x'.repeat(100_000))).status).toBe(413);
    await expectServing();
  });

  it.each([
    ['no key', { 'Sec-WebSocket-Key': null }],
    ['a short key', { 'Sec-WebSocket-Key': 'x' }],
    ['an old version', { 'Sec-WebSocket-Version': '1' }],
    ['another protocol', { Upgrade: 'h2c' }],
  ])('refuses an upgrade that is no WebSocket: %s', async (_name, headers) => {
    expect([400, 426]).toContain(await knock(good, headers));
    await expectServing();
  });

  it('survives what is no HTTP at all', async () => {
    for (const line of ['\u0000\u0001', 'GET', 'x'.repeat(100_000)]) {
      const { status } = await exchange(endpoint.port, [line]);
      expect([0, 400, 431]).toContain(status);
    }
    await expectServing();
  });

  it('repeats no token in its answers', async () => {
    const wrong = 'ZZZZZZZZZZZZZZZZZZZZZZ';
    const { text } = await exchange(endpoint.port, upgrade(`/review?token=${wrong}`, { Host: host() }));
    expect(text).not.toContain(wrong);
    expect(text).not.toContain(TOKEN);
    expect(text).toMatch(/^WWW-Authenticate: Bearer\r$/m);
  });
});

describe('the token', () => {
  it.each([
    '',
    'short',
    'x'.repeat(21),
    'x'.repeat(257),
    'has a space in it, too long',
    'ünïcödé-ünïcödé-ünïcödé',
  ])('%j is refused', async (token) => {
    await expect(serveWebSocket({ server: createReviewServer({ service }), token })).rejects.toMatchObject({
      code: 'invalidArgument',
    });
  });

  it('is made anew for each endpoint, with 128 bits', async () => {
    const made = await Promise.all(
      [1, 2].map(() => serveWebSocket({ server: createReviewServer({ service }) })),
    );
    const tokens = made.map(({ token }) => token);
    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(16);
    expect(made.every(({ url, token }) => !url.includes(token))).toBe(true);
    for (const each of made) await each.close();
  });
});

describe('where it listens', () => {
  it('is loopback, on a free port', () => {
    expect(endpoint.url).toBe(`ws://127.0.0.1:${endpoint.port}/review`);
    expect(endpoint.port).toBeGreaterThan(0);
  });

  it.each(['review', '/a b', '/a?b', '/#'])('the path %j is refused', async (path) => {
    await expect(serveWebSocket({ server: createReviewServer({ service }), path })).rejects.toMatchObject({
      code: 'invalidArgument',
    });
  });

  it('a port that is taken rejects', async () => {
    const { port } = endpoint;
    await expect(serveWebSocket({ server: createReviewServer({ service }), port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });

  it('a shared server that other machines reach is refused, unless its address is named', async () => {
    const shared = createServer();
    await new Promise<void>((resolve) => shared.listen(0, '0.0.0.0', resolve));
    const options = { server: createReviewServer({ service }), httpServer: shared };
    await expect(serveWebSocket(options)).rejects.toMatchObject({
      code: 'invalidArgument',
      message: expect.stringContaining('0.0.0.0'),
    });
    expect(shared.listenerCount('upgrade')).toBe(0);
    const meant = await serveWebSocket({ ...options, host: '0.0.0.0' });
    expect(meant.url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/$/);
    await meant.close();
    await new Promise((resolve) => shared.close(resolve));
  });
});
