import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Folder, OpenHost } from './host.fixture.ts';
import { makeFolder, openHost, request, SESSION, undo } from './host.fixture.ts';

/** Public bug cases as neutral inputs, with what `git diff --no-index --numstat` says of each. */
const CASES = fileURLToPath(new URL('../cases/', import.meta.url));
const expected: Record<string, { files: string[]; numstat?: [string, string] }> = JSON.parse(
  readFileSync(`${CASES}expected.json`, 'utf8'),
);
const pairs = Object.entries(expected).filter(
  ([name, { files }]) => files.includes('before.bin') && existsSync(`${CASES}${name}/after.bin`),
);
/** Not UTF-8: bytes are exact on undo, and no text is made up. */
const NOT_TEXT = new Set(['cp1252-far-byte', 'cp1252-fffd-damage']);

let folder: Folder;
let host: OpenHost;

beforeAll(async () => {
  folder = makeFolder();
  host = await openHost(folder);
});

afterAll(async () => {
  await host.close();
  folder.remove();
});

describe('each public pair, captured and undone on disk', () => {
  it('has all of them', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(27);
  });

  it.each(pairs)(
    '[C6] [C014] [C026] %s: git’s counts, and the exact bytes back',
    async (name, { numstat }) => {
      const before = readFileSync(`${CASES}${name}/before.bin`);
      const after = readFileSync(`${CASES}${name}/after.bin`);
      folder.put(`${name}.bin`, before);
      const { change } = await host.service.capture(request(`${name}.bin`), (target) => target.write(after));
      expect(readFileSync(folder.path(`${name}.bin`)).equals(after)).toBe(true);
      if (NOT_TEXT.has(name)) expect([change!.evidence, change!.additions]).toEqual(['binary', null]);
      else expect([`${change!.additions}`, `${change!.deletions}`]).toEqual(numstat);

      const current = `${CASES}${name}/current.bin`;
      if (existsSync(current)) {
        folder.put(`${name}.bin`, readFileSync(current));
        expect(await undo(host, change!.id)).toMatchObject({ status: 'conflict', wrote: false });
        expect(readFileSync(folder.path(`${name}.bin`)).equals(readFileSync(current))).toBe(true);
        folder.put(`${name}.bin`, after);
      }
      expect((await undo(host, change!.id)).status).toBe('rolledBack');
      expect(readFileSync(folder.path(`${name}.bin`)).equals(before)).toBe(true);
    },
  );

  it('[C005] save-during-write: the after is of the bytes written, and the undo conflicts', async () => {
    const read = (file: string): Buffer => readFileSync(`${CASES}save-during-write/${file}`);
    folder.put('save.bin', read('before.bin'));
    const { change } = await host.service.capture(request('save.bin'), async (target) => {
      await target.write(read('written.bin'));
      folder.put('save.bin', read('on-disk-when-read-back.bin'));
    });
    expect(change!.after!.size).toBe(read('written.bin').length);
    expect(await undo(host, change!.id)).toMatchObject({ status: 'conflict', reason: 'changedOnDisk' });
    expect(readFileSync(folder.path('save.bin')).equals(read('on-disk-when-read-back.bin'))).toBe(true);
  });
});

describe('each public name', () => {
  const names: { path: string; posix: 'ok' | 'refuse' }[] = JSON.parse(
    readFileSync(`${CASES}names/names.json`, 'utf8'),
  );
  // An absolute spelling is lawful at this door: it is refused here since it lies in no root.
  it.each(names.map(({ path, posix }) => [path, posix] as const))(
    '[C113] %j: %s on POSIX',
    async (path, posix) => {
      const captured = host.service.capture(request(path), (target) => target.write('one\n'));
      if (posix === 'refuse') {
        await expect(captured).rejects.toMatchObject({ code: 'pathRefused' });
        return;
      }
      const { change } = await captured;
      expect(change!.status).toBe('added');
      const { items } = await host.service.list({ sessionId: SESSION, limit: 1000 });
      expect(items.some((item) => item.id === change!.id)).toBe(true);
      expect((await undo(host, change!.id)).status).toBe('rolledBack');
      expect(existsSync(folder.path(path))).toBe(false);
    },
  );
});
