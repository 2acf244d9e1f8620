import { ReviewError } from '@backstitch/review-core';
import { afterEach, describe, expect, it } from 'vitest';
import { createFakeService } from '../test/fake-service.ts';
import { SETUPS, type Setup, type SetupOptions } from '../test/setups.ts';
import { wireOver } from '../test/wire.ts';
import { createReviewClient, type ReviewClient } from './client.ts';
import { ReviewRpcError } from './rpc-error.ts';
import { methodSchemas } from './schema.ts';

const ONE = { sessionId: 's', snapshotId: 'c1' };
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no rejection',
    (error) => error,
  );

describe.each(Object.keys(SETUPS))('over %s', (kind) => {
  const open: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });

  async function setUp(options: Partial<SetupOptions> = {}) {
    const service = createFakeService();
    const setup: Setup = await SETUPS[kind]!({ service, ...options });
    open.push(setup.close);
    const client = async (): Promise<ReviewClient> => {
      const made = createReviewClient(await setup.connect());
      open.push(made.close);
      return made;
    };
    return { service, setup, client };
  }

  it('every method answers what the service answered', async () => {
    const { service, client } = await setUp();
    const review = await client();
    const params = { sessionId: 's', snapshotIds: ['c1', 'c2'], runs: ['f'.repeat(32)], requestId: 'q1' };
    const results = {
      discover: await review.discover(),
      list: await review.list({ sessionId: 's', limit: 7, cursor: 'x' }),
      get: await review.get(ONE),
      context: await review.context({ ...ONE, lines: 3 }),
      rounds: await review.rounds({ sessionId: 's' }),
      keep: await review.keep(params),
      unkeep: await review.unkeep(params),
      rollback: await review.rollback({ ...ONE, requestId: 'q2' }),
    };
    expect(service.calls).toEqual([
      { verb: 'list', params: { sessionId: 's', limit: 7, cursor: 'x' } },
      { verb: 'get', params: ONE },
      { verb: 'context', params: { ...ONE, lines: 3 } },
      { verb: 'rounds', params: { sessionId: 's' } },
      { verb: 'keep', params },
      { verb: 'unkeep', params },
      { verb: 'rollback', params: { ...ONE, requestId: 'q2' } },
    ]);
    for (const [key, result] of Object.entries(results)) {
      const schema = methodSchemas[key as keyof typeof methodSchemas].result;
      expect([key, schema.safeParse(result).error]).toEqual([key, undefined]);
    }
    expect(results.list.items.map((item) => item.id)).toEqual(['c1', 'c2']);
    expect(results.discover).toEqual({
      protocol: 1,
      methods: Object.values(methodSchemas).map(({ name }) => name),
      capabilities: service.capabilities,
      limits: { ...service.limits, maxMessageBytes: 1024 * 1024 },
      role: 'main',
    });
  });

  it('a lawful outcome is a result, a broken promise an error with its kind', async () => {
    const { service, client } = await setUp();
    const review = await client();
    service.answer('rollback', { status: 'conflict', reason: 'changedOnDisk', changes: [] });
    expect(await review.rollback(ONE)).toMatchObject({ status: 'conflict', reason: 'changedOnDisk' });
    service.answer('get', new ReviewError('storeDamaged', 'The journal is damaged. Restore it.'));
    const error = await rejection(review.get(ONE));
    expect(ReviewRpcError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({
      code: 1003,
      kind: 'storeDamaged',
      method: 'review.get',
      message: 'The journal is damaged. Restore it.',
    });
  });

  it('text of every kind passes unchanged', async () => {
    const { service, client } = await setUp();
    const review = await client();
    const lines = [
      '\u2028\u2029',
      '\u0000\u0007\u001b',
      '\ud800',
      'é€😀',
      '\r\n\t',
      '</script>',
      '__proto__',
    ];
    service.answer('context', { hunks: [{ lines }], unknown: { member: [1, null, true] } });
    expect(await review.context({ ...ONE, lines: 1 })).toEqual({
      hunks: [{ lines }],
      unknown: { member: [1, null, true] },
    });
  });

  it('an answer larger than a message to the host may be gets through', async () => {
    const { service, client } = await setUp();
    const review = await client();
    const lines = ['x'.repeat(5 * 1024 * 1024)];
    service.answer('context', { hunks: [{ lines }] });
    expect(await review.context({ ...ONE, lines: 1 })).toEqual({ hunks: [{ lines }] });
  });

  it('malformed and oversized messages are answered, and the connection lives', async () => {
    const { setup } = await setUp();
    const transport = await setup.connect();
    open.push(() => transport.close());
    const wire = wireOver(transport);
    for (const text of ['{', '[]', '{"foo":1}', 'x'.repeat(2 * 1024 * 1024)]) wire.send(text);
    const answers = await wire.until(4);
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual(
      [-32700, -32600, -32600, -32600].map((code) => [null, code]),
    );
    expect((await wire.ask('review.discover')).result).toMatchObject({ protocol: 1 });
  });

  it('every client hears of a change, once', async () => {
    const { service, client } = await setUp();
    const clients = [await client(), await client()];
    const heard: unknown[][] = clients.map(() => []);
    const both = Promise.all(
      clients.map(
        (review, at) =>
          new Promise<void>((resolve) => {
            review.subscribe((event) => {
              heard[at]!.push(event);
              if (event.revision === 'last') resolve();
            });
          }),
      ),
    );
    await Promise.all(clients.map((review) => review.discover()));
    await clients[0]!.keep({ sessionId: 's', snapshotIds: ['c1'] });
    service.emit({ sessionId: 's', revision: 'last', snapshotIds: [] });
    await both;
    const expected = [
      { sessionId: 's', revision: 'r1', snapshotIds: ['c1'] },
      { sessionId: 's', revision: 'last', snapshotIds: [] },
    ];
    expect(heard).toEqual([expected, expected]);
  });

  it('a client that vanishes in the middle of a call takes down neither the call nor the others', async () => {
    const { service, client } = await setUp();
    const [leaving, staying] = [await client(), await client()];
    await Promise.all([leaving.discover(), staying.discover()]);
    const release = service.hold('rollback');
    const lost = rejection(leaving.rollback(ONE));
    while (service.calls.length === 0) await staying.discover();
    expect(service.listeners.size).toBe(2);
    leaving.close();
    expect(await lost).toMatchObject({ code: 1102, kind: 'disconnected', method: 'review.rollback' });
    while (service.listeners.size > 1) await staying.discover();
    release();
    expect((await staying.get(ONE)).change.id).toBe('c1');
    service.emit({ sessionId: 's', revision: 'r', snapshotIds: [] });
    expect(service.calls.map(({ verb }) => verb)).toEqual(['rollback', 'get']);
  });

  it('a signal ends a call on both sides', async () => {
    const { service, client } = await setUp();
    const review = await client();
    const release = service.hold('list');
    const controller = new AbortController();
    const cancelled = rejection(review.list({ sessionId: 's' }, { signal: controller.signal }));
    while (service.calls.length === 0) await review.discover();
    controller.abort();
    expect(await cancelled).toMatchObject({ code: -32800, kind: 'cancelled', method: 'review.list' });
    release();
    expect((await review.list({ sessionId: 's' })).items).toHaveLength(2);
  });

  it('closing is told, and every later call refused', async () => {
    const { client } = await setUp();
    const review = await client();
    await review.discover();
    const statuses: string[] = [];
    review.onStatus((status) => statuses.push(status));
    expect(review.status).toBe('open');
    review.close();
    review.close();
    expect([review.status, ...statuses]).toEqual(['closed', 'closed']);
    expect(await rejection(review.discover())).toMatchObject({ kind: 'disconnected' });
  });
});
