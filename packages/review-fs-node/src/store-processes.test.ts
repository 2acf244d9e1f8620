import fs from 'node:fs';
import { type EventData, isBusy, type ReviewStore } from '@backstitch/review-core';
import { describe, expect, it } from 'vitest';
import { append, items, journalOf, makeDir, open, session, spawnChild } from './store-sandbox.fixture.ts';

interface Pair extends EventData {
  name: string;
  n: number;
}

/** The pairs of each name, in the order of the journal; throws where one was torn apart. */
function pairsOf(all: readonly unknown[]): Map<string, number[]> {
  const pairs = all as Pair[];
  const numbers = new Map<string, number[]>();
  for (let i = 0; i < pairs.length; i += 2) {
    const [first, second] = [pairs[i]!, pairs[i + 1]];
    expect([first.t, second?.t, second?.name, second?.n]).toEqual(['first', 'second', first.name, first.n]);
    numbers.set(first.name, [...(numbers.get(first.name) ?? []), first.n]);
  }
  return numbers;
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

async function read(store: ReviewStore): Promise<unknown[]> {
  return items((await store.session('s', { create: true }))!);
}

describe('processes on one store', () => {
  it('[D6] that append at once never interleave, and each finds its own lines in order', async () => {
    const directory = makeDir();
    const store = await open(directory);
    await session(store);
    const children = ['a', 'b', 'c'].map((name) => spawnChild(['pairs', directory, 's', name, '40']));
    expect(await Promise.all(children.map((child) => child.ended))).toEqual([0, 0, 0]);
    const pairs = pairsOf(await read(store));
    for (const name of ['a', 'b', 'c']) expect(pairs.get(name), name).toEqual(upTo(40));
  });

  it('a reader without a lock sees whole events alone, and each of them once', async () => {
    const directory = makeDir();
    const store = await open(directory);
    const one = await session(store);
    const child = spawnChild(['pairs', directory, 's', 'a', '150']);
    let running = true;
    void child.ended.then(() => {
      running = false;
    });
    const seen: EventData[] = [];
    let reads = 0;
    let revision: string | undefined;
    do {
      reads += 1;
      for await (const item of one.read(revision)) {
        expect(item).toHaveProperty('event');
        if ('event' in item) seen.push(item.event);
        revision = item.revision;
        expect(await one.knows(revision)).toBe(true);
      }
      await new Promise((resolve) => setImmediate(resolve));
    } while (running);
    for await (const item of one.read(revision)) if ('event' in item) seen.push(item.event);
    expect(await child.ended).toBe(0);
    expect(pairsOf(seen).get('a')).toEqual(upTo(150));
    expect(reads).toBeGreaterThan(1);
  });

  it('[D7] a killed holder is proved dead: its session is taken over, what it appended stays', async () => {
    const directory = makeDir();
    const store = await open(directory);
    const one = await session(store);
    const child = spawnChild(['hold', directory, 's']);
    expect(await child.line()).toBe('held');
    const busy = await one.write(async () => 'in');
    expect(busy).toMatchObject({
      busy: true,
      what: 'session',
      holder: { pid: child.process.pid, app: 'child' },
    });
    child.kill();
    expect(await child.ended).toBe('SIGKILL');
    await append(one, { t: 'next' });
    expect(await items(one)).toEqual([{ t: 'held' }, { t: 'next' }]);
  });

  it('[D7] a stopped holder holds, and goes on afterwards', async () => {
    const directory = makeDir();
    const store = await open(directory);
    const one = await session(store);
    const child = spawnChild(['hold', directory, 's']);
    expect(await child.line()).toBe('held');
    child.kill('SIGSTOP');
    expect(isBusy(await append(one, { t: 'mine' }))).toBe(true);
    child.kill('SIGCONT');
    child.process.stdin!.end();
    expect(await child.ended).toBe(0);
    await append(one, { t: 'mine' });
    expect(await items(one)).toEqual([{ t: 'held' }, { t: 'late' }, { t: 'mine' }]);
  });

  it('[D2] writers that are killed leave a journal that can be read, with all that was acknowledged', async () => {
    const directory = makeDir();
    const store = await open(directory);
    const one = await session(store);
    for (let round = 1; round <= 6; round++) {
      const name = `r${round}`;
      const child = spawnChild(['pairs', directory, 's', name, '100000']);
      let acknowledged = -1;
      while (acknowledged < round * 7) acknowledged = Number(await child.line());
      child.kill();
      await child.ended;
      await append(one, { t: 'between', name });
      const shown = (await read(store)) as Pair[];
      expect(shown.at(-1)).toEqual({ t: 'between', name });
      const seconds = shown.filter((event) => event.t === 'second' && event.name === name).map(({ n }) => n);
      expect(seconds).toEqual(upTo(seconds.length));
      expect(seconds.length).toBeGreaterThan(acknowledged);
    }
    expect(fs.readFileSync(journalOf(directory)).at(-1)).toBe(0x0a);
  });

  it('another process is told of what is appended, and of sessions that are made', async () => {
    const directory = makeDir();
    const store = await open(directory);
    const one = await session(store);
    const [inSession, inStore] = [one, store].map(
      (each) => new Promise<void>((resolve) => each.watch(resolve)),
    );
    const children = [spawnChild(['fill', directory, 's']), spawnChild(['fill', directory, 'new'])];
    await Promise.all([inSession, inStore, ...children.map((child) => child.ended)]);
    expect(await items(one)).toEqual([{ t: 'a' }]);
  });
});
