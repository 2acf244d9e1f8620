import fs from 'node:fs';
import path from 'node:path';
import { sha256 } from '@backstitch/durable-node';
import { isBusy } from '@backstitch/review-core';
import { describe, expect, it } from 'vitest';
import {
  append,
  flipBit,
  items,
  journalOf,
  makeDir,
  open,
  put,
  session,
  sessionDir,
} from './store-sandbox.fixture.ts';

const packs = (directory: string): string[] =>
  fs.readdirSync(sessionDir(directory)).filter((name) => name.endsWith('.bin'));
const generations = (directory: string): number[] =>
  fs
    .readFileSync(journalOf(directory), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { gen: number }).gen);

describe('a write', () => {
  it('writes these bytes', async () => {
    const directory = makeDir();
    const one = await session(await open(directory));
    await append(one, { t: 'kept', ids: ['1'] }, { t: 'x' });
    const generation = generations(directory)[0]!;
    const text = fs.readFileSync(journalOf(directory), 'utf8');
    const first = `{"v":1,"t":"kept","gen":${generation},"ids":["1"]`;
    const second = `{"v":1,"t":"x","gen":${generation}`;
    const seal = (line: string): string => `${line},"check":"${sha256(Buffer.from(line)).slice(0, 16)}"}\n`;
    expect(text).toBe(seal(first) + seal(second));
  });

  it('carries the generation of its lock, also above a lock directory that began anew', async () => {
    const directory = makeDir();
    const store = await open(directory);
    const one = await session(store);
    for (const t of ['a', 'b']) await append(one, { t });
    await store.close();
    const before = generations(directory);
    expect(before[1]).toBe(before[0]! + 1);
    fs.rmSync(path.join(directory, 'locks'), { recursive: true });
    await append(await session(await open(directory)), { t: 'c' });
    expect(generations(directory)[2]).toBeGreaterThan(before[1]!);
  });

  it('finds the last generation behind a long damaged end', async () => {
    const directory = makeDir();
    const store = await open(directory);
    for (const t of ['a', 'b', 'c']) await append(await session(store), { t });
    await store.close();
    const [, , last] = generations(directory);
    fs.appendFileSync(journalOf(directory), `${'no line of ours\n'.repeat(20_000)}`);
    fs.rmSync(path.join(directory, 'locks'), { recursive: true });
    const again = await session(await open(directory));
    await append(again, { t: 'd' });
    const text = fs.readFileSync(journalOf(directory), 'utf8').trimEnd().split('\n').at(-1)!;
    expect((JSON.parse(text) as { gen: number }).gen).toBeGreaterThan(last!);
    expect(await items(again)).toEqual([{ t: 'a' }, { t: 'b' }, { t: 'c' }, 'damaged', { t: 'd' }]);
  });

  it('begins where the last whole line ends, whatever lies behind it', async () => {
    const tails = ['', '{"v":1,"t":"to', '\0\0\0', 'noise\n', 'noise\nmore', '\n\n'];
    for (const tail of tails) {
      const directory = makeDir();
      const one = await session(await open(directory));
      await append(one, { t: 'a' });
      fs.appendFileSync(journalOf(directory), tail);
      let shown: string | undefined;
      for await (const { revision } of one.read()) shown = revision;
      const top = await one.write(async (writer) => writer.top);
      if (tail !== '\n\n') expect(top, JSON.stringify(tail)).toBe(shown);
      expect(await one.knows(String(top))).toBe(true);
      await append(one, { t: 'b' });
      expect((await items(one)).at(-1)).toEqual({ t: 'b' });
      expect((await items(one)).filter((item) => item !== 'damaged')).toEqual([{ t: 'a' }, { t: 'b' }]);
    }
  });

  it('of a session that was purged and made anew goes to the new one', async () => {
    const directory = makeDir();
    const mine = await session(await open(directory));
    await append(mine, { t: 'old' });
    await put(mine, 'bytes');
    const revision = await mine.write(async (writer) => writer.top);
    fs.rmSync(sessionDir(directory), { recursive: true });
    await expect(append(mine, { t: 'lost' })).rejects.toMatchObject({ code: 'storeFailed', errno: 'ENOENT' });
    expect(fs.existsSync(sessionDir(directory))).toBe(false);
    await session(await open(directory));
    await append(mine, { t: 'new' });
    const locator = await put(mine, 'bytes');
    expect(await mine.knows(String(revision))).toBe(false);
    const other = await session(await open(directory));
    expect(await items(other)).toEqual([{ t: 'new' }]);
    expect(Buffer.from((await other.blob(locator))!).toString()).toBe('bytes');
  });

  it('of a session that was purged leaves no revision that fits the new one, also where it got the same inode', async () => {
    const directory = makeDir();
    for (let round = 0; round < 5; round++) {
      const old = await open(directory);
      const revision = String(await append(await session(old), { t: 'a' }));
      await old.close();
      fs.rmSync(sessionDir(directory), { recursive: true });
      const anew = await session(await open(directory));
      await append(anew, { t: 'a' });
      expect(await anew.knows(revision)).toBe(false);
    }
  });

  it('of a session whose journal alone is gone is refused, and the session is not begun anew', async () => {
    const directory = makeDir();
    const store = await open(directory);
    await append(await session(store), { t: 'a' });
    await store.close();
    fs.unlinkSync(journalOf(directory));
    const again = (await (await open(directory)).session('s'))!;
    await expect(append(again, { t: 'b' })).rejects.toMatchObject({ code: 'storeFailed', errno: 'ENOENT' });
    await expect(items(again)).rejects.toMatchObject({ code: 'storeFailed' });
    expect(fs.existsSync(journalOf(directory))).toBe(false);
  });

  it('is refused where the journal is a link', async () => {
    const directory = makeDir();
    const store = await open(directory);
    await session(store);
    const victim = path.join(directory, 'trash', 'victim');
    fs.writeFileSync(victim, '');
    fs.unlinkSync(journalOf(directory));
    fs.symlinkSync(victim, journalOf(directory));
    await expect(append(await session(store), { t: 'a' })).rejects.toMatchObject({ code: 'storeDamaged' });
    expect(fs.readFileSync(victim, 'utf8')).toBe('');
  });
});

describe('[D18] bytes', () => {
  it('that this process wrote and synced are not stored again', async () => {
    const one = await session(await open(makeDir()));
    expect(await put(one, 'same')).toEqual(await put(one, 'same'));
    expect(await put(one, 'other')).not.toEqual(await put(one, 'same'));
  });

  it('that another process wrote are stored again, unless a hint proves them', async () => {
    const directory = makeDir();
    const first = await put(await session(await open(directory)), 'same');
    const two = await session(await open(directory));
    const third = await session(await open(directory));
    expect(await put(two, 'same')).not.toEqual(first);
    expect(await put(third, 'same', first)).toEqual(first);
    expect(packs(directory)).toHaveLength(2);
  });

  it('that a hint names and that are damaged, or others, are stored again', async () => {
    const directory = makeDir();
    const first = await put(await session(await open(directory)), 'same');
    flipBit(path.join(sessionDir(directory), first.segment), first.offset);
    const two = await session(await open(directory));
    const again = await put(two, 'same', first);
    expect(again.segment).not.toBe(first.segment);
    expect(Buffer.from((await two.blob(again))!).toString()).toBe('same');
    expect(await two.blob(first)).toBeNull();
  });

  it('never lie outside the session, whatever a locator says', async () => {
    const directory = makeDir();
    const store = await open(directory);
    const secret = await put(await session(store, 'other'), 'secret');
    const one = await session(store);
    await put(one, 'mine');
    const segments = [
      secret.segment,
      `../${path.basename(sessionDir(directory, 'other'))}/${secret.segment}`,
    ];
    for (const segment of segments) expect(await one.blob({ ...secret, segment })).toBeNull();
    fs.symlinkSync(
      path.join(sessionDir(directory, 'other'), secret.segment),
      path.join(sessionDir(directory), 'pack-0123456789abcdef-0001.bin'),
    );
    expect(await one.blob({ ...secret, segment: 'pack-0123456789abcdef-0001.bin' })).toBeNull();
  });
});

describe('closing', () => {
  it('waits for a write, and stops what watches', async () => {
    const directory = makeDir();
    const store = await open(directory);
    const one = await session(store);
    let calls = 0;
    one.watch(() => {
      calls += 1;
    });
    const writing = one.write(async (writer) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return writer.append([{ t: 'a' }]);
    });
    await store.close();
    expect(isBusy(await writing)).toBe(false);
    const after = calls;
    const other = await session(await open(directory));
    expect(await items(other)).toEqual([{ t: 'a' }]);
    const told = new Promise<void>((resolve) => other.watch(resolve));
    await append(other, { t: 'b' });
    await told;
    expect(calls).toBe(after);
    for (const call of [() => items(one), () => one.knows(''), () => store.session('s')]) {
      await expect(call()).rejects.toMatchObject({ code: 'closed' });
    }
  });
});
