import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWire, type Wire } from '../test/wire.ts';
import { readIncoming } from './envelope.ts';

const ok = { jsonrpc: '2.0', id: 1, method: 'review.discover' };
const nested = (open: string, close: string, depth: number): string =>
  open.repeat(depth) + close.repeat(depth);

const MALFORMED: readonly (readonly [string, string, number, unknown])[] = [
  ['nothing', '', -32700, null],
  ['no JSON', '{', -32700, null],
  ['two texts', `${JSON.stringify(ok)}${JSON.stringify(ok)}`, -32700, null],
  ['a NUL', '\u0000', -32700, null],
  ['a BOM in front', `\ufeff${JSON.stringify(ok)}`, -32700, null],
  ['a number', '1', -32600, null],
  ['a text', '"review.discover"', -32600, null],
  ['null', 'null', -32600, null],
  ['an empty batch', '[]', -32600, null],
  ['a batch of one', JSON.stringify([ok]), -32600, null],
  ['a foreign object', '{"foo":1}', -32600, null],
  ['no version', JSON.stringify({ id: 1, method: 'review.discover' }), -32600, 1],
  ['version 1.0', JSON.stringify({ ...ok, jsonrpc: '1.0' }), -32600, 1],
  ['version as a number', JSON.stringify({ ...ok, jsonrpc: 2 }), -32600, 1],
  ['an id of null', JSON.stringify({ ...ok, id: null }), -32600, null],
  ['a fractional id', JSON.stringify({ ...ok, id: 1.5 }), -32600, null],
  [
    'an id beyond exact integers',
    '{"jsonrpc":"2.0","id":9007199254740993,"method":"review.discover"}',
    -32600,
    null,
  ],
  ['an object as id', JSON.stringify({ ...ok, id: {} }), -32600, null],
  ['an id of 129 characters', JSON.stringify({ ...ok, id: 'x'.repeat(129) }), -32600, null],
  ['no method', JSON.stringify({ jsonrpc: '2.0', id: 1 }), -32600, 1],
  ['a method that is no text', JSON.stringify({ ...ok, method: ['review.discover'] }), -32600, 1],
  ['a member too many', JSON.stringify({ ...ok, trace: 1 }), -32600, 1],
  [
    '__proto__ in the envelope',
    '{"jsonrpc":"2.0","id":1,"method":"review.discover","__proto__":{"a":1}}',
    -32600,
    1,
  ],
  ['result and error', JSON.stringify({ jsonrpc: '2.0', id: 1, result: 1, error: {} }), -32600, 1],
  ['params as a text', JSON.stringify({ ...ok, params: 's' }), -32600, 1],
  ['params of null', JSON.stringify({ ...ok, params: null }), -32600, 1],
  ['params by position', JSON.stringify({ ...ok, params: ['s'] }), -32602, 1],
  [
    '__proto__ in params',
    '{"jsonrpc":"2.0","id":1,"method":"review.discover","params":{"__proto__":{}}}',
    -32602,
    1,
  ],
  ['constructor in params', JSON.stringify({ ...ok, params: { constructor: 1 } }), -32602, 1],
  ['an unknown method', JSON.stringify({ ...ok, method: 'review.nope' }), -32601, 1],
  ['a method of every object', JSON.stringify({ ...ok, method: 'constructor' }), -32601, 1],
  [
    'a notification as a request',
    JSON.stringify({ ...ok, method: '$/cancelRequest', params: { id: 1 } }),
    -32601,
    1,
  ],
  ['deep arrays', nested('[', ']', 400_000), -32600, null],
  [
    'deep params',
    `{"jsonrpc":"2.0","id":1,"method":"review.discover","params":{"a":${nested('[', ']', 400_000)}}}`,
    -32602,
    1,
  ],
  ['deep, never closed', '['.repeat(900_000), -32700, null],
];

async function expectAlive(wire: Wire): Promise<void> {
  expect((await wire.ask('review.discover')).result).toMatchObject({ protocol: 1, role: 'main' });
}

describe('malformed messages are answered, and the server lives', () => {
  it.each(MALFORMED)('%s', async (_name, text, code, id) => {
    const wire = createWire();
    wire.send(text);
    const [answer] = await wire.until(1);
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id,
      error: { code, message: expect.any(String), data: { kind: expect.any(String) } },
    });
    expect(answer?.error?.message.length).toBeLessThan(700);
    await expectAlive(wire);
    expect(wire.received).toHaveLength(2);
    expect(wire.errors).toEqual([]);
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  it.each([
    ['a notification', { jsonrpc: '2.0', method: 'review.discover' }],
    [
      'a change of state that nobody would hear of',
      { jsonrpc: '2.0', method: 'review.rollback', params: { sessionId: 's', snapshotId: 'c1' } },
    ],
    ['an unknown notification', { jsonrpc: '2.0', method: '$/nope', params: {} }],
    ['an answer', { jsonrpc: '2.0', id: 1, result: {} }],
    ['an error that answers nothing', { jsonrpc: '2.0', id: null, error: { code: -32600, message: '' } }],
  ])('%s gets no answer, and nothing is carried out', async (_name, message) => {
    const wire = createWire();
    wire.send(JSON.stringify(message));
    await expectAlive(wire);
    expect(wire.received).toHaveLength(1);
    expect(wire.service.calls).toEqual([]);
  });
});

describe('the size of a message', () => {
  it.each(['a', 'é', '€', '😀'])('is counted in bytes of UTF-8: %s', async (fill) => {
    const wire = createWire({ maxMessageBytes: 1200 });
    const of = (bytes: number): string => {
      const [head, tail] = [JSON.stringify({ ...ok, params: {} }).slice(0, -2), '"a":""}}'];
      const room = bytes - head.length - tail.length;
      const width = Buffer.byteLength(fill);
      return `${head}"a":"${fill.repeat(Math.floor(room / width))}${'.'.repeat(room % width)}"}}`;
    };
    for (const bytes of [1200, 1201]) expect(Buffer.byteLength(of(bytes))).toBe(bytes);
    wire.send(of(1200));
    await wire.until(1);
    wire.send(of(1201));
    const answers = await wire.until(2);
    expect(answers.map(({ id, error }) => [id, error?.code, error?.data.kind])).toEqual([
      [1, -32602, 'invalidParams'],
      [null, -32600, 'messageTooLarge'],
    ]);
    await expectAlive(wire);
  });

  it('is 1 MiB by default, and told by discover', async () => {
    const wire = createWire();
    wire.send('x'.repeat(1024 * 1024 + 1));
    wire.send('x'.repeat(1024 * 1024));
    const answers = await wire.until(2);
    expect(answers.map(({ error }) => error?.code)).toEqual([-32600, -32700]);
    expect((await wire.ask('review.discover')).result?.limits).toMatchObject({
      maxMessageBytes: 1024 * 1024,
    });
  });
});

describe('whatever is sent', () => {
  const SEED = Number(process.env.FC_SEED ?? Date.now() % 2 ** 31);
  const member = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('2.0', 1, null, 'review.get', 'review.rollback', '$/cancelRequest', { sessionId: 's' }),
  );
  const envelope = fc.dictionary(
    fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'result', 'error', '__proto__', 'x'),
    member,
    { noNullPrototype: true },
  );
  const message = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    envelope.map((value) => JSON.stringify(value)),
    envelope.map((value) => JSON.stringify({ jsonrpc: '2.0', method: 'review.get', ...value })),
    fc.tuple(envelope, fc.nat(60)).map(([value, at]) => JSON.stringify(value).slice(at)),
  );

  it(`is read as one of four things, without a throw (seed ${SEED})`, () => {
    fc.assert(
      fc.property(message, (text) => {
        expect(['request', 'notification', 'response', 'refused']).toContain(readIncoming(text).type);
      }),
      { seed: SEED, numRuns: 5000 },
    );
  });

  it(`leaves one connection alive that answers each call once (seed ${SEED})`, async () => {
    const wire = createWire();
    const sent = fc.sample(message, { seed: SEED, numRuns: 3000 });
    for (const text of sent) wire.send(text);
    await expectAlive(wire);
    const ids = wire.received.map(({ id }) => id).filter((id) => id !== null);
    const asked = sent.map(readIncoming).filter(({ type }) => type === 'request').length;
    expect(ids.length).toBeGreaterThanOrEqual(1);
    expect(asked).toBeGreaterThan(0);
    expect(wire.received.every(({ error, result }) => (error === undefined) !== (result === undefined))).toBe(
      true,
    );
    expect(wire.errors).toEqual([]);
  });
});
