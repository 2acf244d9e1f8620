import { describe, expect, it } from 'vitest';
import { createReviewClient } from './client.ts';
import { ReviewRpcError } from './rpc-error.ts';
import type { Transport } from './transport.ts';
import { createMemoryTransportPair } from './transports/memory.ts';

const KEEP = { sessionId: 's', snapshotIds: ['c1'] };

/** A host that is only a wire: what the client sent, and means to answer it. */
function createHost() {
  const [near, far] = createMemoryTransportPair();
  const sent: { id: number; method: string; params: Record<string, unknown> }[] = [];
  const arrivals = new Set<() => void>();
  far.onMessage((text) => {
    sent.push(JSON.parse(text));
    for (const arrival of [...arrivals]) arrival();
  });
  return {
    near,
    far,
    sent,
    answer: (message: object) => far.send(JSON.stringify({ jsonrpc: '2.0', ...message })),
    until: (count: number) =>
      new Promise<void>((resolve) => {
        const check = (): void => void (sent.length >= count && resolve());
        arrivals.add(check);
        check();
      }),
  };
}

const rejection = (promise: Promise<unknown>): Promise<ReviewRpcError> =>
  promise.then(
    () => Promise.reject(new Error('it did not reject')),
    (error) => error as ReviewRpcError,
  );

describe('requestId', () => {
  it('is made for each change of state, and for nothing else', async () => {
    const host = createHost();
    const client = createReviewClient(host.near);
    const calls = [
      client.keep(KEEP),
      client.unkeep(KEEP),
      client.rollback({ sessionId: 's', snapshotId: 'c1' }),
      client.list({ sessionId: 's' }),
      client.discover(),
    ];
    await host.until(5);
    const ids = host.sent.map(({ params }) => params.requestId);
    for (const id of ids.slice(0, 3)) expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(ids.slice(0, 3)).size).toBe(3);
    expect(ids.slice(3)).toEqual([undefined, undefined]);
    client.close();
    await Promise.allSettled(calls);
  });

  it("of the caller stands, and the params stay the caller's", async () => {
    const host = createHost();
    const client = createReviewClient(host.near);
    const params = Object.freeze({ ...KEEP, requestId: 'mine' });
    const calls = [client.keep(params), client.keep(Object.freeze({ ...KEEP }))];
    await host.until(2);
    expect(host.sent[0]?.params).toEqual(params);
    client.close();
    await Promise.allSettled(calls);
  });
});

describe('answers', () => {
  it('settle the call of their id, in any order, once', async () => {
    const host = createHost();
    const client = createReviewClient(host.near);
    const [first, second] = [client.list({ sessionId: 'a' }), client.list({ sessionId: 'b' })];
    host.answer({ id: 2, result: { items: ['second'] } });
    host.answer({ id: 2, result: { items: ['again'] } });
    host.answer({ id: 1, error: { code: 1002, message: 'Not there.', data: { kind: 'unknownRecord' } } });
    expect(await second).toEqual({ items: ['second'] });
    expect(await rejection(first)).toMatchObject({
      code: 1002,
      kind: 'unknownRecord',
      message: 'Not there.',
      method: 'review.list',
    });
  });

  it.each([
    ['no JSON', '{'],
    ['no JSON-RPC', '{"id":1,"result":{}}'],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"result":{}}]'],
    ['an unknown id', '{"jsonrpc":"2.0","id":"1","result":{}}'],
    ['an error for nobody in particular', '{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":""}}'],
    ['a request', '{"jsonrpc":"2.0","id":1,"method":"review.list","params":{}}'],
    ['an unknown notification', '{"jsonrpc":"2.0","method":"review.progress","params":{}}'],
    ['an event without its members', '{"jsonrpc":"2.0","method":"review.changed","params":{"sessionId":1}}'],
    [
      'an event with wrong ids',
      '{"jsonrpc":"2.0","method":"review.changed","params":{"sessionId":"s","snapshotIds":[1]}}',
    ],
    ['an event without params', '{"jsonrpc":"2.0","method":"review.changed"}'],
  ])('%s is passed over', async (_name, text) => {
    const host = createHost();
    const client = createReviewClient(host.near);
    const events: unknown[] = [];
    client.subscribe((event) => events.push(event));
    const call = client.discover();
    host.far.send(text);
    host.answer({ id: 1, result: { protocol: 7 } });
    expect(await call).toEqual({ protocol: 7 });
    expect(events).toEqual([]);
  });

  it('an error without kind or message, or of a kind of tomorrow, is still an error', async () => {
    const host = createHost();
    const client = createReviewClient(host.near);
    const calls = [client.discover(), client.discover(), client.discover()];
    host.answer({ id: 1, error: {} });
    host.answer({ id: 2, error: { code: -32000, message: 'x', data: null } });
    host.answer({ id: 3, error: { code: 4711, message: 'x', data: { kind: 'ofTomorrow', more: 1 } } });
    expect(await Promise.all(calls.map(rejection))).toMatchObject([
      { code: 0, kind: 'internal', message: 'The host gave no reason.' },
      { code: -32000, kind: 'internal', message: 'x' },
      { code: 4711, kind: 'ofTomorrow' },
    ]);
  });

  it('an error without an id leaves no call waiting', async () => {
    const host = createHost();
    const client = createReviewClient(host.near);
    const calls = [client.discover(), client.list({ sessionId: 's' })];
    host.answer({
      id: null,
      error: { code: -32600, message: 'Too large.', data: { kind: 'messageTooLarge' } },
    });
    expect(await Promise.all(calls.map(rejection))).toMatchObject([
      { kind: 'messageTooLarge', method: 'review.discover' },
      { kind: 'messageTooLarge', method: 'review.list' },
    ]);
  });
});

describe('a signal', () => {
  it('that was aborted before sends nothing', async () => {
    const host = createHost();
    const client = createReviewClient(host.near);
    expect(await rejection(client.discover({}, { signal: AbortSignal.abort() }))).toMatchObject({
      kind: 'cancelled',
      code: -32800,
    });
    const call = client.discover();
    await host.until(1);
    expect(host.sent).toHaveLength(1);
    host.answer({ id: 1, result: {} });
    await call;
  });

  it('cancels by the id of its call, and has no effect after the answer', async () => {
    const host = createHost();
    const client = createReviewClient(host.near);
    const [early, late] = [new AbortController(), new AbortController()];
    const answered = client.discover({}, { signal: late.signal });
    host.answer({ id: 1, result: {} });
    await answered;
    late.abort();
    const call = rejection(client.discover({}, { signal: early.signal }));
    early.abort();
    expect(await call).toMatchObject({ kind: 'cancelled' });
    await host.until(3);
    expect(host.sent.map(({ method, params }) => [method, params])).toEqual([
      ['review.discover', {}],
      ['review.discover', {}],
      ['$/cancelRequest', { id: 2 }],
    ]);
  });
});

describe('the connection', () => {
  it('that goes rejects what waits, and tells it', async () => {
    const host = createHost();
    const client = createReviewClient(host.near);
    const statuses: string[] = [];
    client.onStatus((status) => statuses.push(status));
    const calls = [client.discover(), client.keep(KEEP)];
    host.far.close();
    const errors = await Promise.all(calls.map(rejection));
    expect(errors.map(({ kind, code, method }) => [kind, code, method])).toEqual([
      ['disconnected', 1102, 'review.discover'],
      ['disconnected', 1102, 'review.keep'],
    ]);
    expect(errors.every(ReviewRpcError.isInstance)).toBe(true);
    expect(await rejection(client.discover())).toMatchObject({ kind: 'disconnected' });
    expect(statuses).toEqual(['closed']);
    client.close();
    expect(statuses).toEqual(['closed']);
  });

  it('may be a transport of three functions, which tells nothing of itself', async () => {
    const { near, far } = createHost();
    const plain: Transport = { send: near.send, onMessage: near.onMessage, close: near.close };
    const client = createReviewClient(plain);
    expect(client.status).toBe('open');
    const call = client.discover();
    far.send('{"jsonrpc":"2.0","id":1,"result":{}}');
    await call;
    client.close();
    expect(client.status).toBe('closed');
  });

  it('a subscriber that leaves hears nothing more; one that throws keeps no other from hearing', async () => {
    const host = createHost();
    const client = createReviewClient(host.near);
    const heard: string[] = [];
    const event = (revision: string) => ({
      method: 'review.changed',
      params: { sessionId: 's', revision, snapshotIds: [] },
    });
    const uncaught = new Promise((resolve) => process.once('unhandledRejection', resolve));
    client.subscribe(() => {
      throw new Error('mine');
    });
    const leave = client.subscribe(({ revision }) => heard.push(`a${revision}`));
    client.subscribe(({ revision }) => heard.push(`b${revision}`));
    host.answer(event('1'));
    await expect(uncaught).resolves.toMatchObject({ message: 'mine' });
    leave();
    leave();
    const call = client.discover();
    host.answer({ id: 1, result: {} });
    await call;
    expect(heard).toEqual(['a1', 'b1']);
  });
});

it('an error is known by its brand, also across two copies of the package', () => {
  const error = new ReviewRpcError({ kind: 'busy', code: 1008, message: 'm' }, 'review.keep');
  const foreign = Object.assign(new Error('m'), { [Symbol.for('@backstitch/ReviewRpcError')]: true });
  expect(
    [error, foreign, new Error('m'), null, 'x', { name: 'ReviewRpcError' }].map(ReviewRpcError.isInstance),
  ).toEqual([...[true, true], ...[false, false, false, false]]);
});
