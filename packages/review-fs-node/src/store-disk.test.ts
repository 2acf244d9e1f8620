import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { sha256 } from '@backstitch/durable-node';
import { describe, expect, it } from 'vitest';
import {
  append,
  items,
  journalOf,
  makeDir,
  mountTmpfs,
  open,
  put,
  session,
  sessionDir,
  spawnChild,
} from './store-sandbox.fixture.ts';

const packs = (directory: string): string[] =>
  fs.readdirSync(sessionDir(directory)).filter((name) => name.endsWith('.bin'));

describe('a disk that refuses', () => {
  it('[D5] full: the write is told, nothing is lost, and the same write works once there is room', async (context) => {
    const directory = mountTmpfs(context, 'size=128k');
    const store = await open(path.join(directory, 'store'));
    const one = await session(store);
    await append(one, { t: 'a' });
    const kept = await put(one, 'kept');
    const ballast = path.join(directory, 'ballast');
    const fill = (): void => {
      const args = ['if=/dev/zero', 'bs=4k', 'count=100', `of=${ballast}`];
      expect(spawnSync('dd', args).status).not.toBe(0);
    };
    const long = 'x'.repeat(9000);
    const write = () =>
      one.write(async (writer) => {
        const bytes = Buffer.from(long);
        const locator = await writer.put(sha256(bytes), bytes);
        await writer.append([{ t: 'long', long, locator }]);
        return locator;
      });
    fill();
    for (const _ of [1, 2])
      await expect(write()).rejects.toMatchObject({ code: 'storeFailed', errno: 'ENOSPC' });
    await expect(append(one, { t: 'long', long })).rejects.toMatchObject({
      code: 'storeFailed',
      errno: 'ENOSPC',
    });
    expect(await items(one)).toEqual([{ t: 'a' }]);
    expect(Buffer.from((await one.blob(kept))!).toString()).toBe('kept');
    fs.unlinkSync(ballast);
    const locator = await write();
    expect((await items(one)).filter((item) => item !== 'damaged')).toEqual([
      { t: 'a' },
      { t: 'long', long, locator },
    ]);
    expect(Buffer.from((await one.blob(locator as never))!).toString()).toBe(long);
  });

  it('[D5] read-only: opening is told with the errno', async (context) => {
    const directory = mountTmpfs(context, 'ro');
    await expect(open(path.join(directory, 'store'))).rejects.toMatchObject({
      code: 'storeFailed',
      errno: 'EROFS',
    });
  });

  for (const part of ['journal.jsonl', 'pack-']) {
    it(`[D5] a sync of ${part} that fails is told; the next write stands on its own`, async () => {
      const directory = makeDir();
      const fixture = new URL('./disk.fixture.ts', import.meta.url).href;
      const child = spawnChild(['twice', directory, 's'], [fixture], { BACKSTITCH_FAIL: `1,${part}` });
      expect([await child.line(), await child.line()]).toEqual(['storeFailed EIO', 'ok']);
      expect(await child.ended).toBe(0);
      const one = await session(await open(directory));
      const [first, second] = (await items(one)) as { t: string; locator: never }[];
      expect([first?.t, second?.t]).toEqual(['one', 'two']);
      // The same bytes were put twice, but those of the failed sync were not relied upon.
      expect(packs(directory).length).toBe(part === 'pack-' ? 2 : 1);
      expect(Buffer.from((await one.blob(second!.locator))!).toString()).toBe('same');
    });
  }
});

describe('what is acknowledged', () => {
  const fixture = new URL('./disk.fixture.ts', import.meta.url).href;

  async function syncsOf(directory: string, id: string): Promise<string[]> {
    const trace = path.join(makeDir(), 'trace');
    const child = spawnChild(['fill', directory, id], [fixture], { BACKSTITCH_TRACE: trace });
    expect(await child.line()).toBe('filled');
    const synced = fs.readFileSync(trace, 'utf8').trimEnd().split('\n');
    expect(await child.ended).toBe(0);
    return synced.map((each) => path.relative(path.dirname(directory), each));
  }

  it('[D4] is on the disk with every name above it', async () => {
    const directory = path.join(makeDir(), 'store');
    const synced = await syncsOf(directory, 's');
    const place = path.relative(path.dirname(directory), sessionDir(directory));
    const [segment] = packs(directory);
    // The parent for the store, the store for its parts, `sessions` for the session, and so on.
    for (const each of [
      '',
      'store',
      'store/sessions',
      place,
      `${place}/journal.jsonl`,
      `${place}/${segment}`,
    ]) {
      expect(synced, each).toContain(each);
    }
    expect(synced.filter((each) => each.endsWith('~')).length).toBe(2);
  });

  it('[D4] of a write that puts nothing costs one sync, of the journal, once all is made', async () => {
    const directory = path.join(makeDir(), 'store');
    const trace = path.join(makeDir(), 'trace');
    const child = spawnChild(['pairs', directory, 's', 'a', '5'], [fixture], { BACKSTITCH_TRACE: trace });
    expect(await child.line()).toBe('0');
    expect(await child.ended).toBe(0);
    const last = fs.readFileSync(trace, 'utf8').trimEnd().split('\n').slice(-4);
    expect(last).toEqual(last.map(() => journalOf(directory)));
  });
});
