import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { open, testDirectory } from './testing/files.ts';
import { startWorker } from './testing/processes.ts';

const LINES = 50;

it('[C053] [A4] 8 processes append to one file: each line whole, and there once', {
  timeout: 120_000,
}, async () => {
  const path = join(testDirectory(), 's.jsonl');
  const workers = Array.from({ length: 8 }, (_, i) =>
    startWorker('append-worker.ts', path, `w${i}`, String(LINES), '100000'),
  );
  await Promise.all(workers.map((worker) => worker.wrote(1)));
  for (const worker of workers) worker.start();
  expect(await Promise.all(workers.map((worker) => worker.done))).toEqual(workers.map(() => 0));
  const texts = readFileSync(path, 'utf8').split('\n');
  expect(texts.pop()).toBe('');
  const lines = texts.map((text) => JSON.parse(text));
  const expected = workers.flatMap((_, w) => Array.from({ length: LINES }, (_, i) => `w${w}-${i}`));
  const ids = lines.flatMap((line) => (line.id === undefined ? [] : [line.id]));
  expect(ids.toSorted()).toEqual(expected.toSorted());
  const ofOne = ids.filter((id) => id.startsWith('w3-'));
  expect(ofOne).toEqual(Array.from({ length: LINES }, (_, i) => `w3-${i}`));
  const transcript = await open(path);
  expect(await transcript.health()).toEqual({ damaged: [] });
  expect(Object.keys(await transcript.reviewStates())).toHaveLength((8 * LINES) / 2);
});

it('[D12] a process killed while it appends leaves every acknowledged line, and a lock that is taken over', {
  timeout: 120_000,
}, async () => {
  const path = join(testDirectory(), 's.jsonl');
  const transcript = await open(path);
  await transcript.append({ type: 'session' });
  const acknowledged: string[] = [];
  for (let round = 0; round < 6; round++) {
    const before = readFileSync(path);
    const worker = startWorker('append-worker.ts', path, `k${round}`, '100000', '100000');
    worker.start();
    await worker.wrote(1 + (round + 1) * 3);
    await worker.kill();
    acknowledged.push(...worker.lines.slice(1));
    expect(readFileSync(path).subarray(0, before.length).equals(before)).toBe(true);
    const { ordinal } = await transcript.append({ type: 'message', id: `after-${round}` });
    expect(ordinal).toBeGreaterThan(acknowledged.length);
    acknowledged.push(`after-${round}`);
  }
  const ids = new Set((await transcript.readAll()).items.map((item) => item.id));
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
});
