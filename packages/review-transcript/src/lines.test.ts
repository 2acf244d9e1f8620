import { createHash } from 'node:crypto';
import { CHANGE_STATES, ReviewError } from '@backstitch/review-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyLine, encodeHostLine, encodeStateLine, ownedSnapshotIds } from './index.ts';

const hash = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex');
const classify = (text: string) => classifyLine(JSON.parse(text), Buffer.from(text), hash);

describe('state lines', () => {
  it('has these bytes, with the check over all before it', () => {
    const checked =
      '{"type":"tool_review_state","v":1,"messageId":"m1","snapshotId":"s1","state":"rolledBack"';
    const line = encodeStateLine({ messageId: 'm1', snapshotId: 's1', state: 'rolledBack' }, hash);
    expect(line).toBe(`${checked},"check":"${hash(checked).slice(0, 16)}"}`);
    expect(line.slice(-19, -2)).toBe('"cbfc04b9bdb9ce94');
  });

  it('comes back as it was written, and never as another state when a bit of it flips', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 });
    const states = fc.constantFrom(...CHANGE_STATES);
    fc.assert(
      fc.property(text, text, states, fc.nat(), (messageId, snapshotId, state, at) => {
        const line = encodeStateLine({ messageId, snapshotId, state }, hash);
        expect(classify(line)).toEqual({ kind: 'state', messageId, snapshotId, state });
        const bytes = Buffer.from(line);
        bytes[at % bytes.length]! ^= 1;
        const flipped = parsed(bytes);
        const found = flipped === null ? null : classifyLine(flipped, bytes, hash);
        // A flip in the name `check` leaves a line without one, with every other byte as it was written.
        if (found?.kind === 'state') expect(found).toEqual({ kind: 'state', messageId, snapshotId, state });
      }),
    );
  });

  it.each([
    [
      'no check: an older or a foreign one',
      '{"type":"tool_review_state","messageId":"m","snapshotId":"s","state":"kept"}',
      'state',
    ],
    [
      'an unknown member',
      '{"type":"tool_review_state","v":2,"messageId":"m","snapshotId":"s","state":"kept","by":"x"}',
      'state',
    ],
  ])('is good with %s', (_, text, kind) => {
    expect(classify(text).kind).toBe(kind);
  });

  it.each([
    [
      'a wrong check',
      '{"type":"tool_review_state","messageId":"m","snapshotId":"s","state":"kept","check":"0123456789abcdef"}',
      'check',
    ],
    [
      'a check that is no text',
      '{"type":"tool_review_state","messageId":"m","snapshotId":"s","state":"kept","check":1}',
      'check',
    ],
    ['no snapshot', '{"type":"tool_review_state","messageId":"m","state":"kept"}', 'shape'],
    [
      'a state that nobody knows',
      '{"type":"tool_review_state","messageId":"m","snapshotId":"s","state":"lost"}',
      'unknownState',
    ],
    ['no object', '[1]', 'shape'],
    ['no type', '{"id":"m"}', 'shape'],
  ])('is damage with %s', (_, text, reason) => {
    expect(classify(text)).toEqual({ kind: 'damaged', reason });
  });

  it('is good with a member behind a check that holds', () => {
    const line = encodeStateLine({ messageId: 'm', snapshotId: 's', state: 'kept' }, hash);
    expect(classify(line.replace(/\}$/, ',"by":"x"}')).kind).toBe('state');
  });
});

describe('lines of the host', () => {
  it('is one line whatever is in it [C061]', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.jsonValue(), (text, payload) => {
        const line = encodeHostLine({ type: 'message', id: 'm', text: `${text}\n\r${text}`, payload });
        expect(line).not.toMatch(/[\n\r]/);
      }),
    );
  });

  it('keeps an own member that is called __proto__', () => {
    const line = JSON.parse('{"type":"message","id":"__proto__","__proto__":{"a":1}}');
    expect(encodeHostLine(line)).toBe('{"type":"message","id":"__proto__","__proto__":{"a":1}}');
  });

  const cyclic: Record<string, unknown> = { type: 'x' };
  cyclic.self = cyclic;
  it.each([
    ['null', null],
    ['an array', [{ type: 'message' }]],
    ['an instance', new Date()],
    ['one that writes itself', { type: 'x', toJSON: () => 'y' }],
    ['no type', { id: 'm' }],
    ['an empty type', { type: '' }],
    ['a tool without id', { type: 'tool' }],
    ['a message whose id is a number', { type: 'message', id: 7 }],
    ['an id with half a character', { type: 'tool', id: 'a\ud83d' }],
    ['a state line', { type: 'tool_review_state', messageId: 'm', snapshotId: 's', state: 'kept' }],
    ['the member that reading adds', { type: 'x', review: 1 }],
    ['a cycle', cyclic],
    ['a BigInt', { type: 'x', n: 1n }],
  ])('refuses %s', (_, line) => {
    try {
      encodeHostLine(line);
      expect.unreachable();
    } catch (error) {
      expect(ReviewError.isInstance(error) && error.code).toBe('invalidArgument');
    }
  });

  it.each([
    [{ change: { id: 'a' } }, ['a']],
    [{ snapshotId: 'b' }, ['b']],
    [{ change: { id: 'a' }, snapshotIds: ['c', 1, 'd'] }, ['a', 'c', 'd']],
    [{ hunks: [] }, null],
    ['text', null],
  ])('names its snapshots in details.review: %j', (review, named) => {
    expect(ownedSnapshotIds({ type: 'tool', id: 'm', details: { review } })).toEqual(named);
  });
});

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}
