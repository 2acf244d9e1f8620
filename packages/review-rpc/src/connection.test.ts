import { ReviewError, type ReviewErrorCode } from '@backstitch/review-core';
import { describe, expect, it } from 'vitest';
import { createFakeService } from '../test/fake-service.ts';
import { createWire } from '../test/wire.ts';
import { RPC_ERROR_CODES } from './error-codes.ts';
import { type AuthorizeRequest, createReviewServer } from './server.ts';
import { createMemoryTransportPair } from './transports/memory.ts';

const LIST = { sessionId: 's' };
const ONE = { sessionId: 's', snapshotId: 'c1' };
const request = (id: unknown, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const cancel = (id: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id } });

describe('calls', () => {
  it('start in the order in which they came, and are answered when they are done', async () => {
    const wire = createWire();
    const release = wire.service.hold('list');
    wire.send(request('slow', 'review.list', LIST));
    wire.send(request('quick', 'review.get', ONE));
    await wire.until(1);
    release();
    const answers = await wire.until(2);
    expect(wire.service.calls.map(({ verb }) => verb)).toEqual(['list', 'get']);
    expect(answers.map(({ id }) => id)).toEqual(['quick', 'slow']);
  });

  it('keep the id as it was sent: 1 and "1" are two calls', async () => {
    const wire = createWire();
    wire.send(request(1, 'review.list', LIST));
    wire.send(request('1', 'review.list', LIST));
    wire.send(request('', 'review.list', LIST));
    wire.send(request(-7, 'review.list', LIST));
    const answers = await wire.until(4);
    expect(answers.map(({ id }) => id)).toEqual([1, '1', '', -7]);
    expect(answers.every(({ result }) => result !== undefined)).toBe(true);
  });

  it('refuse an id that is still in use, and leave the first call alone', async () => {
    const wire = createWire();
    const release = wire.service.hold('list');
    wire.send(request(1, 'review.list', LIST));
    wire.send(request(1, 'review.rollback', ONE));
    const [refused] = await wire.until(1);
    expect(refused).toMatchObject({ id: null, error: { code: -32600, data: { kind: 'invalidRequest' } } });
    release();
    expect((await wire.until(2))[1]).toMatchObject({ id: 1, result: { nextCursor: null } });
    expect(wire.service.calls.map(({ verb }) => verb)).toEqual(['list']);
    wire.send(request(1, 'review.list', LIST));
    expect((await wire.until(3))[2]).toMatchObject({ id: 1, result: {} });
  });

  it('are bounded: the 257th that runs at once is refused, also where the others were cancelled', async () => {
    const wire = createWire();
    const release = wire.service.hold('list');
    for (let id = 0; id < 256; id++) wire.send(request(id, 'review.list', LIST));
    for (let id = 0; id < 128; id++) wire.send(cancel(id));
    await wire.until(128);
    wire.send(request('one too many', 'review.list', LIST));
    const refused = (await wire.until(129))[128];
    expect(refused).toMatchObject({
      id: 'one too many',
      error: { code: 1101, data: { kind: 'tooManyCalls' } },
    });
    release();
    await wire.until(257);
    expect(wire.service.calls).toHaveLength(256);
    expect((await wire.ask('review.list', LIST)).result).toBeDefined();
  });
});

describe('$/cancelRequest', () => {
  it('ends a read that waits with −32800, once', async () => {
    const wire = createWire();
    const release = wire.service.hold('list');
    wire.send(request(1, 'review.list', LIST));
    wire.send(cancel(1));
    expect(await wire.until(1)).toMatchObject([
      { id: 1, error: { code: -32800, data: { kind: 'cancelled' } } },
    ]);
    release();
    expect((await wire.ask('review.discover')).result).toBeDefined();
    expect(wire.received).toHaveLength(2);
  });

  it('does not end a change of state that has begun', async () => {
    const wire = createWire();
    const release = wire.service.hold('rollback');
    wire.send(request(1, 'review.rollback', ONE));
    wire.send(cancel(1));
    await wire.ask('review.discover');
    release();
    expect((await wire.until(2))[1]).toMatchObject({ id: 1, result: { status: 'rolledBack' } });
  });

  it('prevents one that still waits for the host to allow it', async () => {
    let allow = (_: boolean): void => {};
    const asked = new Promise<boolean>((resolve) => (allow = resolve));
    const wire = createWire({ authorize: ({ method }) => (method === 'review.rollback' ? asked : true) });
    wire.send(request(1, 'review.rollback', ONE));
    wire.send(cancel(1));
    expect(await wire.until(1)).toMatchObject([{ id: 1, error: { code: -32800 } }]);
    allow(true);
    await wire.ask('review.discover');
    expect(wire.service.calls).toEqual([]);
  });

  it.each([undefined, null, 'unknown', 99, {}, [1]])('is passed over for the id %j', async (id) => {
    const wire = createWire();
    wire.send(cancel(id));
    await wire.ask('review.discover');
    expect(wire.received).toHaveLength(1);
  });
});

describe('roles', () => {
  it('a viewer is served what only reads, and told so', async () => {
    const wire = createWire({ role: 'viewer' });
    const { result } = await wire.ask('review.discover');
    expect(result).toMatchObject({
      role: 'viewer',
      methods: ['context', 'discover', 'get', 'list', 'rounds'].map((key) => `review.${key}`),
    });
    for (const method of ['review.rollback', 'review.keep', 'review.unkeep']) {
      const { error } = await wire.ask(method, ONE);
      expect(error).toMatchObject({ code: 1005, data: { kind: 'notAllowed' } });
    }
    expect(wire.service.calls).toEqual([]);
    expect((await wire.ask('review.list', LIST)).result).toBeDefined();
  });

  it('are not taken from a message', async () => {
    const wire = createWire({ role: 'viewer' });
    expect((await wire.ask('review.rollback', { ...ONE, role: 'main' })).error?.code).toBe(1005);
    expect((await wire.ask('review.discover', { role: 'main' })).error?.code).toBe(-32602);
  });

  it.each(['admin', '', 'constructor', undefined])('%j is refused when the host connects', (role) => {
    const server = createReviewServer({ service: createFakeService() });
    const [, far] = createMemoryTransportPair();
    expect(() => server.connect(far, { role: role as 'main' })).toThrow("must be 'main' or 'viewer'");
  });
});

describe('authorize', () => {
  it('is asked with lawful params, and its refusal is 1005', async () => {
    const asked: AuthorizeRequest[] = [];
    const wire = createWire({
      authorize: (request) => {
        asked.push(request);
        return request.method !== 'review.rollback';
      },
    });
    expect((await wire.ask('review.rollback', ONE)).error).toMatchObject({
      code: 1005,
      data: { kind: 'notAllowed' },
    });
    expect((await wire.ask('review.rollback', {})).error?.code).toBe(-32602);
    expect((await wire.ask('review.get', ONE)).result).toBeDefined();
    expect(asked).toEqual([
      { method: 'review.rollback', params: ONE, role: 'main' },
      { method: 'review.get', params: ONE, role: 'main' },
    ]);
    expect(wire.service.calls.map(({ verb }) => verb)).toEqual(['get']);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
  ])('refuses where it %s, and the host hears why', async (_name, authorize) => {
    const wire = createWire({ authorize });
    expect((await wire.ask('review.get', ONE)).error).toMatchObject({ code: 1005 });
    expect(wire.errors).toEqual([new Error('no')]);
    expect(wire.service.calls).toEqual([]);
  });

  it('refuses on anything that is not true', async () => {
    const wire = createWire({ authorize: () => 1 as unknown as boolean });
    expect((await wire.ask('review.get', ONE)).error).toMatchObject({ code: 1005 });
  });

  it('decides which events a connection hears', async () => {
    const wire = createWire({ authorize: ({ params }) => params.sessionId !== 'other' });
    await wire.ask('review.discover');
    wire.service.emit({ sessionId: 'other', revision: 'r', snapshotIds: ['x'] });
    wire.service.emit({ sessionId: 's', revision: 'r', snapshotIds: ['c1'] });
    const answers = await wire.until(2);
    await wire.ask('review.discover');
    expect(answers[1]).toEqual({
      jsonrpc: '2.0',
      method: 'review.changed',
      params: { sessionId: 's', revision: 'r', snapshotIds: ['c1'] },
    });
    expect(wire.received).toHaveLength(3);
  });
});

describe('what the service throws', () => {
  const CODES: ReviewErrorCode[] = [
    'unknownRecord',
    'storeDamaged',
    'cursorExpired',
    'notAllowed',
    'requestReused',
    'busy',
    'closed',
    'invalidArgument',
  ];
  it.each(CODES)('%s comes with its number, its kind and its message', async (code) => {
    const wire = createWire();
    wire.service.answer(
      'get',
      new ReviewError(code, 'What to do.', { path: '/private/a', errno: 'EIO', cause: new Error('hidden') }),
    );
    const { error } = await wire.ask('review.get', ONE);
    expect(error).toEqual({ code: RPC_ERROR_CODES[code], message: 'What to do.', data: { kind: code } });
    expect(wire.errors).toEqual([]);
  });

  it('a code of a newer core is −32603 with its own kind', async () => {
    const wire = createWire();
    wire.service.answer('get', new ReviewError('ofTomorrow' as ReviewErrorCode, 'What to do.'));
    expect((await wire.ask('review.get', ONE)).error).toEqual({
      code: -32603,
      message: 'What to do.',
      data: { kind: 'ofTomorrow' },
    });
  });

  it.each([
    ['an Error', new Error("ENOENT: no such file or directory, open '/private/key'")],
    [
      'a system error',
      Object.assign(new TypeError('/private/key'), { code: 'ENOENT', path: '/private/key' }),
    ],
  ])('%s leaks neither its message nor a stack, and the host hears of it', async (_name, thrown) => {
    const wire = createWire();
    wire.service.answer('get', thrown);
    const { error } = await wire.ask('review.get', ONE);
    expect(error).toMatchObject({ code: -32603, data: { kind: 'internal' } });
    expect(JSON.stringify(error)).not.toMatch(/private|ENOENT|at /);
    expect(wire.errors).toEqual([thrown]);
  });

  it('a result that is no JSON is an internal error too', async () => {
    const wire = createWire();
    wire.service.answer('get', { change: 1n });
    expect((await wire.ask('review.get', ONE)).error).toMatchObject({ code: -32603 });
    expect(wire.errors).toHaveLength(1);
  });

  it('a log that throws takes no answer with it', async () => {
    const wire = createWire({
      onError: () => {
        throw new Error('log');
      },
    });
    wire.service.answer('get', new Error('x'));
    expect((await wire.ask('review.get', ONE)).error).toMatchObject({ code: -32603 });
  });
});

it('"not yours" and "absent" look the same', async () => {
  const wire = createWire();
  const shape = ({ error }: { error?: { code: number; data: object; message: string } }) => ({
    ...error,
    message: error?.message.replaceAll(/\b(?:c1|nope|other|s)\b/g, '_'),
  });
  const absent = shape(await wire.ask('review.get', { sessionId: 's', snapshotId: 'nope' }));
  const foreign = shape(await wire.ask('review.get', { sessionId: 'other', snapshotId: 'c1' }));
  expect(foreign).toEqual(absent);
  expect(absent).toMatchObject({ code: 1002, data: { kind: 'unknownRecord' } });
});
