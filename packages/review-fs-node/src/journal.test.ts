import fs from 'node:fs';
import path from 'node:path';
import { type LogEntry, readLineLog } from '@backstitch/durable-node';
import type { EventData } from '@backstitch/review-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeEntry, encodeLine, isSealed, type JournalEntry, sealJson } from './journal.ts';
import { makeDir } from './store-sandbox.fixture.ts';

async function read(bytes: Uint8Array): Promise<JournalEntry[]> {
  const file = path.join(makeDir(), 'journal.jsonl');
  fs.writeFileSync(file, bytes);
  return decode(file, bytes.length);
}

async function decode(file: string, size: number): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for await (const entry of readLineLog(file)) {
    const decoded = decodeEntry(entry, size);
    if (decoded !== null) entries.push(decoded);
  }
  return entries;
}

const short = (entry: JournalEntry): unknown => ('event' in entry ? entry.event : entry.unreadable);
const EVENTS: EventData[] = [
  { t: 'first', text: 'a"b' },
  { t: 'second', n: [1, null] },
  { t: 'third', text: 'ü\n' },
];
const LINES: string[] = EVENTS.map((event, index) => `${encodeLine(event, index + 1)}\n`);
const JOURNAL: Buffer = Buffer.from(LINES.join(''));

describe('journal line', () => {
  it('has these bytes', () => {
    const event = { t: 'kept', ids: ['1'], requestId: null, text: 'ü\u2028' };
    expect(encodeLine(event, 7)).toBe(
      '{"v":1,"t":"kept","gen":7,"ids":["1"],"requestId":null,"text":"ü\u2028","check":"cb3a174684c04fe4"}',
    );
  });

  it('comes back as the event, without what the store added', async () => {
    const entries = await read(JOURNAL);
    expect(entries.map(short)).toEqual(EVENTS);
    expect(entries.map((entry) => 'generation' in entry && entry.generation)).toEqual([1, 2, 3]);
  });

  it('refuses an event with members of its own, and one without a type', () => {
    for (const member of ['v', 'gen', 'minReader', 'check']) {
      expect(() => encodeLine({ t: 'a', [member]: 1 }, 1)).toThrow(`"${member}"`);
    }
    expect(() => encodeLine({} as EventData, 1)).toThrow('type');
  });

  it('comes back whatever the event holds', async () => {
    const member = fc
      .string({ unit: 'binary' })
      .filter((name) => !['t', 'v', 'gen', 'minReader', 'check'].includes(name));
    const event = fc.dictionary(member, fc.jsonValue({ noUnicodeString: false }));
    await fc.assert(
      fc.asyncProperty(event, fc.string({ unit: 'binary' }), fc.nat(), async (members, t, generation) => {
        const expected = JSON.parse(JSON.stringify({ ...members, t }));
        const line = encodeLine({ ...members, t }, generation);
        const raw = Buffer.from(line);
        expect(isSealed(raw)).toBe(true);
        const entry: LogEntry = { offset: 0, length: raw.length, value: JSON.parse(line), raw };
        expect(decodeEntry(entry, raw.length)).toEqual({
          offset: 0,
          length: raw.length,
          event: expected,
          generation,
        });
      }),
      { numRuns: 200 },
    );
  });

  it('of a newer version is told as newer, unless it says that we can read it', async () => {
    const newer = sealJson({ v: 2, t: 'a', gen: 1 });
    const alsoNewer = sealJson({ v: 3, t: 'b', gen: 1, minReader: 2 });
    const readable = sealJson({ v: 3, t: 'c', gen: 1, minReader: 1, more: true });
    const entries = await read(Buffer.from(`${newer}\n${alsoNewer}\n${readable}\n`));
    expect(entries.map(short)).toEqual(['newer', 'newer', { t: 'c', more: true }]);
  });

  it('[D10] is damaged where its check fits, but its shape does not', async () => {
    const values = [
      { t: 'a', gen: 1 },
      { v: 0, t: 'a', gen: 1 },
      { v: 1, gen: 1 },
      { v: 1, t: 'a' },
      { v: 1, t: 1, gen: 1 },
    ];
    const lines = values.map((value) => `${sealJson(value)}\n`).join('');
    const entries = await read(Buffer.from(lines));
    expect(entries.map(short)).toEqual(values.map(() => 'damaged'));
  });

  it('[D10] is damaged where it has no check', async () => {
    const strange = [
      '{"v":1,"t":"a","gen":1}',
      '[]',
      '1',
      'null',
      '"x"',
      '{}',
      '{"check":"0123456789abcdef"}',
    ];
    const entries = await read(Buffer.from(`${strange.join('\n')}\n${LINES[0]}`));
    expect(entries.map(short)).toEqual([...strange.map(() => 'damaged'), EVENTS[0]]);
  });

  it('[D10] without its LF counts only where its check fits', async () => {
    const whole = LINES[0]!.slice(0, -1);
    expect((await read(Buffer.from(whole))).map(short)).toEqual([EVENTS[0]]);
    const wrong = whole.replace('first', 'other');
    expect(await read(Buffer.from(wrong))).toEqual([]);
    expect((await read(Buffer.from(`${wrong}\n`))).map(short)).toEqual(['damaged']);
  });
});

describe('journal', () => {
  it('[D10] every prefix shows its whole lines, and no damage', async () => {
    const ends = LINES.map((_, index) => Buffer.byteLength(LINES.slice(0, index + 1).join('')) - 1);
    for (let size = 0; size <= JOURNAL.length; size++) {
      const shown = (await read(JOURNAL.subarray(0, size))).map(short);
      expect(shown, `prefix of ${size} bytes`).toEqual(EVENTS.filter((_, index) => ends[index]! <= size));
    }
  });

  it('[D10] no flipped bit takes down another line, or makes an event of its own', async () => {
    const file = path.join(makeDir(), 'journal.jsonl');
    const lineOf = (at: number): number => JOURNAL.subarray(0, at).filter((byte) => byte === 0x0a).length;
    for (let at = 0; at < JOURNAL.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const bytes = Buffer.from(JOURNAL);
        bytes[at]! ^= 1 << bit;
        fs.writeFileSync(file, bytes);
        const shown = (await decode(file, bytes.length)).filter((entry) => 'event' in entry).map(short);
        // A flipped LF joins its line with the next one.
        const hit = JOURNAL[at] === 0x0a ? [lineOf(at), lineOf(at) + 1] : [lineOf(at)];
        const others = EVENTS.filter((_, index) => !hit.includes(index));
        expect(shown, `byte ${at}, bit ${bit}`).toEqual(
          EVENTS.filter((event) => others.includes(event) || shown.some((each) => same(each, event))),
        );
        for (const event of shown) expect(EVENTS).toContainEqual(event);
      }
    }
  });

  it('[D10] reads on behind NUL bytes, a BOM, noise and a huge line', async () => {
    const huge = Buffer.alloc(17 * 1024 * 1024, 0x61);
    const noise = [
      Buffer.alloc(5000),
      Buffer.from(`noise\xff\n`, 'latin1'),
      huge,
      Buffer.from('\n'),
      Buffer.from(`${'['.repeat(100_000)}\n`),
    ];
    const bytes = Buffer.concat([
      Buffer.from('\ufeff'),
      Buffer.from(LINES[0]!),
      ...noise,
      Buffer.from(LINES[1]!),
    ]);
    const entries = await read(bytes);
    expect(entries.filter((entry) => 'event' in entry).map(short)).toEqual([EVENTS[0], EVENTS[1]]);
    expect(
      entries.filter((entry) => 'unreadable' in entry).every((entry) => short(entry) === 'damaged'),
    ).toBe(true);
  });
});

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
