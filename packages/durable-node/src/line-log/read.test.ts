import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLineLog } from '../index.ts';
import { entries } from '../test-support/entries.ts';
import { folder } from '../test-support/folders.ts';

function file(bytes: string | Uint8Array): string {
  const path = join(folder(), 'log.jsonl');
  writeFileSync(path, bytes);
  return path;
}

describe('readLineLog, damage', () => {
  it.each<[string, string, Array<[string, number, number]>]>([
    [
      'a whole last line without LF counts',
      '{"a":1}\n{"b":2}',
      [
        ['{"a":1}', 0, 7],
        ['{"b":2}', 8, 7],
      ],
    ],
    [
      'a last number may be half of a longer one',
      '{"a":1}\n12',
      [
        ['{"a":1}', 0, 7],
        ['tail', 8, 2],
      ],
    ],
    ['a number with its LF counts', '12\n', [['12', 0, 2]]],
    [
      'a hole, then a record',
      '{"a":1}\n\0\0\0\0{"b":2}\n',
      [
        ['{"a":1}', 0, 7],
        ['damaged:nul', 8, 4],
        ['{"b":2}', 12, 7],
      ],
    ],
    [
      'a torn record, a hole, a record',
      '{"a":\0\0{"b":2}\n',
      [
        ['damaged:json', 0, 7],
        ['{"b":2}', 7, 7],
      ],
    ],
    [
      'a hole at the end',
      '{"a":1}\n\0\0\0',
      [
        ['{"a":1}', 0, 7],
        ['damaged:nul', 8, 3],
      ],
    ],
    [
      'a whole record before a hole',
      '{"a":1}\0\0\n{"b":2}\n',
      [
        ['{"a":1}', 0, 7],
        ['damaged:nul', 7, 2],
        ['{"b":2}', 10, 7],
      ],
    ],
    [
      'what stands inside a broken record is no record',
      '{"a":1,{"b":2}}\n[3]\n',
      [
        ['damaged:json', 0, 15],
        ['[3]', 16, 3],
      ],
    ],
    [
      'quotes and backslashes in glued records',
      '{"a":"\\"}{"}{"b":"\\\\"}\n',
      [
        ['{"a":"\\"}{"}', 0, 12],
        ['{"b":"\\\\"}', 12, 10],
      ],
    ],
    [
      'a record, then something else',
      '{"a":1}xyz\n',
      [
        ['{"a":1}', 0, 7],
        ['damaged:json', 7, 3],
      ],
    ],
    [
      'a record, then the beginning of one',
      '{"a":1} {"b"',
      [
        ['{"a":1}', 0, 7],
        ['tail', 8, 4],
      ],
    ],
    ['blank lines', '\n \t\n\r\n{"a":1}\n\n', [['{"a":1}', 6, 7]]],
    [
      'a mark that is not at the start',
      '{"a":1}\n\ufeff{"b":2}\n',
      [
        ['{"a":1}', 0, 7],
        ['damaged:json', 8, 10],
      ],
    ],
    ['nothing', '', []],
    ['a mark alone', '\ufeff', []],
  ])('%s', async (_, bytes, expected) => {
    expect(await entries(file(bytes))).toEqual(expected);
  });

  it('tells bad UTF-8 behind a good record', async () => {
    const path = file(
      Buffer.concat([Buffer.from('{"a":1}{"b":"'), Buffer.of(0xff), Buffer.from('"}\n[2]\n')]),
    );
    expect(await entries(path)).toEqual([
      ['{"a":1}', 0, 7],
      ['damaged:utf8', 7, 9],
      ['[2]', 17, 3],
    ]);
  });

  it('[D10] reads 100,000 brackets deep, and skips the same unclosed', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const path = file(`${deep}\n${'['.repeat(100_000)}\n{"a":1}\n`);
    expect((await entries(path)).slice(1)).toEqual([
      ['damaged:json', 200_001, 100_000],
      ['{"a":1}', 300_002, 7],
    ]);
  });

  it.each(['value', 'tail'])('skips a line over the cap to the next LF, and %s follows', async (kind) => {
    const long = `{"a":"${'x'.repeat(64 * 1024)}"}`;
    const path = file(`{"b":1}\n${long}\n{"c":1}\n${kind === 'tail' ? long : '{"d":1}\n'}`);
    const at = 8 + long.length + 1;
    expect(await entries(path, { maxLineBytes: 1000 })).toEqual([
      ['{"b":1}', 0, 7],
      ['damaged:tooLong', 8, long.length],
      ['{"c":1}', at, 7],
      kind === 'tail' ? ['tail', at + 8, long.length] : ['{"d":1}', at + 8, 7],
    ]);
    const exact = await entries(path, { maxLineBytes: long.length });
    expect(exact.map(([text]) => text).slice(0, 2)).toEqual(['{"b":1}', long]);
  });

  it('[D10] reads on from behind any entry', async () => {
    const bytes = Buffer.concat([
      Buffer.from('\ufeff{"a":1}\r\n{"b":2}{"c":3}\n{"torn\nmore}\n\0\0\0{"d":4}\n'),
      Buffer.of(0xc3),
      Buffer.from('\n{"e":5}'),
    ]);
    const path = file(bytes);
    const all = await entries(path);
    expect(all.map(([text]) => text)).toEqual([
      '{"a":1}',
      '{"b":2}',
      '{"c":3}',
      'damaged:json',
      'damaged:nul',
      '{"d":4}',
      'damaged:utf8',
      '{"e":5}',
    ]);
    for (const [i, [, offset, length]] of all.entries()) {
      expect(await entries(path, { from: offset + length })).toEqual(all.slice(i + 1));
      expect(await entries(path, { from: offset })).toEqual(all.slice(i));
    }
  });

  it('[D10] all prefixes of a log: whole records stay, and at most the end is a tail', async () => {
    const lines = ['{"a":"é…😀"}', '[1,{"b":"\\"}{"}]', '{"c":{"d":[]}}'];
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    const path = file('');
    for (let length = 0; length <= bytes.length; length++) {
      writeFileSync(path, bytes.subarray(0, length));
      const text = bytes.subarray(0, length).toString('latin1').split('\n');
      const whole = text.slice(0, -1).map((line) => Buffer.from(line, 'latin1').toString());
      const rest = Buffer.from(text.at(-1)!, 'latin1').toString();
      const expected = [...whole, ...(rest === '' ? [] : [lines.includes(rest) ? rest : 'tail'])];
      expect(
        (await entries(path)).map(([shown]) => shown),
        `length ${length}`,
      ).toEqual(expected);
    }
  });

  it('[D10] any one flipped bit spoils its own line alone, or joins it with one neighbour', async () => {
    const lines = ['{"a":1}', '{"b":"x"}', '{"c":[2]}', '{"d":null}', '{"e":5}'];
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    const path = file('');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      writeFileSync(path, flipped);
      const read = (await entries(path)).map(([shown]) => shown);
      const kept = lines.filter((line) => read.includes(line));
      expect(kept.length, `bit ${bit}: ${read.join(' | ')}`).toBeGreaterThanOrEqual(lines.length - 2);
    }
  });

  it('[D10] never throws and never overlaps, whatever the bytes', async () => {
    const path = file('');
    const piece = fc.oneof(
      fc
        .constantFrom('{"a":1}', '{"a":"}{"}', '\n', '\r\n', '\0\0', '{"', '"}', '[', '\ufeff', ' ', '1')
        .map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 30 }),
        fc.integer({ min: 1, max: 40 }),
        async (pieces, maxLineBytes) => {
          const bytes = Buffer.concat(pieces);
          writeFileSync(path, bytes);
          let at = 0;
          for await (const entry of readLineLog(path, { maxLineBytes })) {
            expect(entry.offset).toBeGreaterThanOrEqual(at);
            expect(entry.length).toBeGreaterThan(0);
            at = entry.offset + entry.length;
            if ('raw' in entry) expect(bytes.subarray(entry.offset, at).equals(entry.raw)).toBe(true);
          }
          expect(at).toBeLessThanOrEqual(bytes.length);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('readLineLog, files', () => {
  it('has no entries for a missing file, and refuses what is no file', async () => {
    const directory = folder();
    expect(await entries(join(directory, 'none'))).toEqual([]);
    mkdirSync(join(directory, 'd'));
    symlinkSync('d', join(directory, 'link'));
    await expect(entries(join(directory, 'd'))).rejects.toMatchObject({ code: 'notAFile' });
    await expect(entries(join(directory, 'link'))).rejects.toMatchObject({
      code: 'notAFile',
      errno: 'ELOOP',
    });
    await expect(entries(join(directory, 'd/none'), { from: -1 })).rejects.toMatchObject({
      code: 'invalidArgument',
    });
    await expect(entries(directory, { maxLineBytes: 0 })).rejects.toMatchObject({ code: 'invalidArgument' });
  });

  it('ends where the file ended when reading began, and closes early without a leak', async () => {
    const path = file('{"a":1}\n{"b":2}\n');
    const seen: unknown[] = [];
    for await (const entry of readLineLog(path)) {
      if ('value' in entry) seen.push(entry.value);
      if (seen.length < 10) appendFileSync(path, '{"more":1}\n');
    }
    expect(seen).toEqual([{ a: 1 }, { b: 2 }]);
    for await (const _ of readLineLog(path)) break;
  });

  it('reads a range', async () => {
    const path = file('{"a":1}\n{"b":2}\n{"c":3}\n');
    expect(await entries(path, { from: 8, to: 16 })).toEqual([['{"b":2}', 8, 7]]);
    expect(await entries(path, { from: 8, to: 12 })).toEqual([['tail', 8, 4]]);
    expect(await entries(path, { from: 1000 })).toEqual([]);
  });

  it.each([
    ['[C056] behind 2 GiB', 2 ** 31 + 4096, 2 ** 31],
    ['over a hole of 64 MiB', 64 * 1024 * 1024, 0],
  ])('works %s, in bounded memory', async (_, far, from) => {
    const path = file('{"a":1}\n');
    truncateSync(path, far);
    const fd = openSync(path, 'r+');
    writeSync(fd, '\n{"b":2}\n', far);
    closeSync(fd);
    const before = process.memoryUsage.rss();
    const start = Math.max(from, 8);
    expect(await entries(path, { from: start })).toEqual([
      ['damaged:nul', start, far - start],
      ['{"b":2}', far + 1, 7],
    ]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(48 * 1024 * 1024);
  });
});
