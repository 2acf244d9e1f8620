import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLineLog } from '../index.ts';
import { entries } from '../test-support/entries.ts';
import { folder } from '../test-support/folders.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const message = (n: number): string => `{"type":"message","id":"m${n}","text":"t${n}"}`;

describe('readLineLog, the cases', () => {
  it.each<[string, string, Array<[string, number, number]>]>([
    [
      '[C050] a bad line in the middle',
      'jsonl-bad-middle',
      [
        [message(1), 0, 40],
        ['damaged:json', 41, 27],
        [message(3), 69, 40],
        ['{"type":"tool_review_state","messageId":"m1","snapshotId":"s1","state":"rolledBack"}', 110, 84],
        [message(4), 195, 40],
      ],
    ],
    [
      'CR LF and a byte order mark',
      'jsonl-crlf-bom',
      [
        [message(1), 3, 40],
        [message(2), 45, 40],
      ],
    ],
    [
      '[C052] two records on one line',
      'jsonl-glued',
      [
        [message(1), 0, 40],
        [message(2), 41, 40],
        [message(3), 81, 40],
        [message(4), 122, 40],
      ],
    ],
    [
      '[C052] brackets in a string are no split',
      'jsonl-glued-brace-in-string',
      [
        ['{"type":"message","id":"m1","text":"a }{ b"}', 0, 44],
        [message(2), 44, 40],
      ],
    ],
    [
      '[C055] half a character pair is kept as parsed',
      'jsonl-lone-surrogate',
      [
        [message(1), 0, 40],
        ['{"type":"message","id":"m2","text":"cut \\ud83d…"}', 41, 51],
        [message(3), 93, 40],
      ],
    ],
    [
      '[C061] a raw line break is one region',
      'jsonl-raw-newline',
      [
        [message(1), 0, 40],
        ['damaged:json', 41, 51],
        [message(3), 93, 40],
      ],
    ],
    [
      '[C049] cut inside a character',
      'jsonl-torn-utf8',
      [
        [message(1), 0, 40],
        [message(2), 41, 40],
        ['tail', 82, 44],
      ],
    ],
    [
      '[C053] two writers, one blank line',
      'jsonl-two-writes',
      [
        [message(1), 0, 40],
        [message(2), 40, 40],
        [message(3), 82, 40],
      ],
    ],
    [
      'separators of other standards are content',
      'jsonl-u2028-in-string',
      [
        ['{"type":"message","id":"m1","text":"a\u2028b\u2029c"}', 0, 47],
        [message(2), 48, 40],
      ],
    ],
  ])('%s', async (_, name, expected) => {
    expect(await entries(join(FIXTURES, `${name}.jsonl`))).toEqual(expected);
  });

  it('[C049] after one append, the torn line is damage and three are good', async () => {
    const path = join(folder(), 'log.jsonl');
    copyFileSync(join(FIXTURES, 'jsonl-torn-utf8.jsonl'), path);
    const log = await openLineLog({ path });
    expect(await log.append([message(4)])).toEqual([{ offset: 127, length: 40 }]);
    await log.close();
    expect(await entries(path)).toEqual([
      [message(1), 0, 40],
      [message(2), 41, 40],
      ['damaged:utf8', 82, 44],
      [message(4), 127, 40],
    ]);
  });

  it.each(['jsonl-clock-back', 'jsonl-state-order', 'jsonl-unknown-type'])(
    '[C058] %s comes in the order of the file',
    async (name) => {
      const path = join(FIXTURES, `${name}.jsonl`);
      const read = await entries(path);
      expect(read.map(([text]) => text)).toEqual(readFileSync(path, 'utf8').trimEnd().split('\n'));
    },
  );
});
