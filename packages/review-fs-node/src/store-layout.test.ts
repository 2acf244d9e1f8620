import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFileReviewStore } from './index.ts';
import { sealJson } from './journal.ts';
import { sessionKey } from './store-layout.ts';
import {
  append,
  items,
  journalOf,
  makeDir,
  open,
  put,
  session,
  sessionDir,
  spawnChild,
} from './store-sandbox.fixture.ts';

const modeOf = (file: string): number => fs.lstatSync(file).mode & 0o7777;

/** Everything below a directory, with its mode: `<mode> <path>`. */
function modes(directory: string): string[] {
  const names = fs.readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort();
  return names.map((name) => `${modeOf(path.join(directory, name)).toString(8)} ${name}`);
}

async function list(store: { sessions(): AsyncIterable<{ id: string }> }): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.sessions()) ids.push(id);
  return ids.sort();
}

describe('store placement', () => {
  it('[C12] must be absolute', async () => {
    for (const directory of ['store', './store', '']) {
      await expect(openFileReviewStore({ directory })).rejects.toMatchObject({ code: 'storePlacement' });
    }
  });

  it('is refused where other things lie, which stay as they are', async () => {
    const directory = makeDir();
    fs.chmodSync(directory, 0o755);
    fs.writeFileSync(path.join(directory, 'theirs.txt'), '');
    const opening = openFileReviewStore({ directory });
    await expect(opening).rejects.toMatchObject({ code: 'storePlacement', path: directory });
    await expect(opening).rejects.toThrow('theirs.txt');
    expect([modeOf(directory), fs.readdirSync(directory)]).toEqual([0o755, ['theirs.txt']]);
  });

  it('is refused where a file stands, and where a part is a link', async () => {
    const directory = makeDir();
    fs.writeFileSync(path.join(directory, 'file'), '');
    const onFile = openFileReviewStore({ directory: path.join(directory, 'file') });
    await expect(onFile).rejects.toMatchObject({ code: 'storeFailed', errno: 'ENOTDIR' });
    const store = path.join(directory, 'store');
    fs.mkdirSync(store);
    fs.symlinkSync(directory, path.join(store, 'sessions'));
    await expect(openFileReviewStore({ directory: store })).rejects.toMatchObject({ code: 'storeDamaged' });
  });

  it('may be reached by a link, and is named by its real path', async () => {
    const directory = makeDir();
    fs.mkdirSync(path.join(directory, 'real'));
    fs.symlinkSync('real', path.join(directory, 'alias'));
    expect((await open(path.join(directory, 'alias'))).directory).toBe(path.join(directory, 'real'));
  });

  it('goes on where its making was cut short', async () => {
    const directory = makeDir();
    fs.mkdirSync(path.join(directory, 'locks'));
    fs.writeFileSync(path.join(directory, '.backstitch-0123~'), 'half');
    await session(await open(directory));
    expect(fs.existsSync(path.join(directory, 'store.json'))).toBe(true);
  });
});

describe('store.json', () => {
  const write = (directory: string, content: string | Buffer): void =>
    fs.writeFileSync(path.join(directory, 'store.json'), content);

  it('has these members', async () => {
    const directory = makeDir();
    await open(directory);
    const text = fs.readFileSync(path.join(directory, 'store.json'), 'utf8');
    expect(text).toMatch(
      /^\{"format":"backstitch-store","version":1,"minReader":1,"storeId":"[0-9a-f]{8}-[0-9a-f-]{27}"\}\n$/,
    );
    await open(directory);
    expect(fs.readFileSync(path.join(directory, 'store.json'), 'utf8')).toBe(text);
  });

  it('that is damaged is told, and left alone', async () => {
    const contents = [
      '',
      '{}',
      'null',
      '[1]',
      Buffer.alloc(90),
      '{"format":"other","version":1}',
      '{"format":',
    ];
    for (const content of contents) {
      const directory = makeDir();
      write(directory, content);
      const opening = openFileReviewStore({ directory });
      await expect(opening).rejects.toMatchObject({
        code: 'storeDamaged',
        path: path.join(directory, 'store.json'),
      });
      expect(fs.readFileSync(path.join(directory, 'store.json'))).toEqual(Buffer.from(content));
    }
  });

  it('of a newer version is refused, unless it says that we can read it', async () => {
    const newer = makeDir();
    write(newer, '{"format":"backstitch-store","version":2}');
    await expect(openFileReviewStore({ directory: newer })).rejects.toMatchObject({ code: 'storeReadOnly' });
    const readable = makeDir();
    write(readable, '{"format":"backstitch-store","version":2,"minReader":1}');
    await session(await open(readable));
  });
});

describe('files of a store', () => {
  it('[D15] are private under umask 000, and usable under umask 077', async () => {
    for (const umask of ['0o000', '0o077']) {
      const directory = path.join(makeDir(), 'a', 'store');
      const child = spawnChild(['fill', directory, 's'], [`data:text/javascript,process.umask(${umask})`]);
      expect(await child.line()).toBe('filled');
      expect(await child.ended).toBe(0);
      const key = sessionKey('s');
      expect(modes(path.dirname(path.dirname(directory)))).toEqual([
        '700 a',
        '700 a/store',
        '700 a/store/locks',
        '700 a/store/locks/.owners',
        `700 a/store/locks/${key}`,
        ...modes(path.join(directory, 'locks', key)).map((line) =>
          line.replace(' ', ` a/store/locks/${key}/`),
        ),
        '700 a/store/sessions',
        `700 a/store/sessions/${key}`,
        `600 a/store/sessions/${key}/journal.jsonl`,
        expect.stringMatching(/^600 a\/store\/sessions\/[0-9a-f]{64}\/pack-[0-9a-f]{16}-0001\.bin$/),
        `600 a/store/sessions/${key}/session.json`,
        '600 a/store/store.json',
        '700 a/store/trash',
      ]);
      for (const line of modes(path.join(directory, 'locks', key))) expect(line).toMatch(/^600 /);
    }
  });

  it('[D15] that are looser are tightened when they are met', async () => {
    const directory = makeDir();
    const first = await open(directory);
    const { segment } = await put(await session(first), 'bytes');
    await first.close();
    const dirs = [
      directory,
      ...['locks', 'sessions', 'trash'].map((name) => path.join(directory, name)),
      sessionDir(directory),
    ];
    const files = [
      path.join(directory, 'store.json'),
      journalOf(directory),
      path.join(sessionDir(directory), 'session.json'),
      path.join(sessionDir(directory), segment),
    ];
    for (const dir of dirs) fs.chmodSync(dir, 0o777);
    for (const file of files) fs.chmodSync(file, 0o666);
    await append(await session(await open(directory)), { t: 'b' });
    expect(dirs.map(modeOf)).toEqual(dirs.map(() => 0o700));
    expect(files.map(modeOf)).toEqual(files.map(() => 0o600));
  });

  it('of 40 sessions are open for a part of them at a time, and all can be written', async () => {
    const directory = makeDir();
    const store = await open(directory);
    const all = await Promise.all(Array.from({ length: 40 }, (_, index) => session(store, `s${index}`)));
    for (const round of [1, 2]) {
      for (const [index, each] of all.entries()) {
        await store.session(`s${index}`);
        await append(each, { t: 'a', round });
        await put(each, `bytes of ${index} in ${round}`);
      }
    }
    await store.session('s0');
    const links = fs.readdirSync('/proc/self/fd').map((fd) => linkOf(`/proc/self/fd/${fd}`));
    expect(
      links.filter((link) => link.startsWith(directory) && link.endsWith('journal.jsonl')).length,
    ).toBeLessThan(35);
    expect(await items(all[39]!)).toEqual([
      { t: 'a', round: 1 },
      { t: 'a', round: 2 },
    ]);
  });
});

function linkOf(file: string): string {
  try {
    return fs.readlinkSync(file);
  } catch {
    // The handle of the listing itself is gone by now.
    return '';
  }
}

describe('session.json', () => {
  it('has these bytes', async () => {
    const directory = makeDir();
    await session(await open(directory), 'ü');
    const text = fs.readFileSync(path.join(sessionDir(directory, 'ü'), 'session.json'), 'utf8');
    const { createdAt } = JSON.parse(text) as { createdAt: string };
    const info = { v: 1, minReader: 1, id: 'ü', createdAt, app: 'backstitch', forkedFrom: null };
    expect(text).toBe(`${sealJson(info)}\n`);
  });

  it('that is damaged hides no other session, and its own is found by its id', async () => {
    const directory = makeDir();
    const store = await open(directory);
    for (const id of ['a', 'b']) await append(await session(store, id), { t: id });
    const file = path.join(sessionDir(directory, 'a'), 'session.json');
    const good = fs.readFileSync(file, 'utf8');
    for (const bad of ['', '\0'.repeat(good.length), good.slice(0, -5), good.replace('"a"', '"b"'), '{}\n']) {
      fs.writeFileSync(file, bad);
      expect(await list(store)).toEqual(['b']);
      expect(await items((await store.session('a'))!)).toEqual([{ t: 'a' }]);
    }
    expect(await items(await session(store, 'a'))).toEqual([{ t: 'a' }]);
    expect(await list(store)).toEqual(['a', 'b']);
  });

  it('[L2] of one session is not taken for another', async () => {
    const directory = makeDir();
    const store = await open(directory);
    await session(store, 'a');
    await session(store, 'b');
    fs.copyFileSync(
      path.join(sessionDir(directory, 'a'), 'session.json'),
      path.join(sessionDir(directory, 'b'), 'session.json'),
    );
    expect(await list(store)).toEqual(['a']);
  });

  it('is not looked for in what is no session', async () => {
    const directory = makeDir();
    const store = await open(directory);
    fs.mkdirSync(path.join(directory, 'sessions', 'stray'));
    fs.writeFileSync(path.join(directory, 'sessions', 'f'.repeat(64)), 'a file');
    fs.symlinkSync('/', path.join(directory, 'sessions', 'e'.repeat(64)));
    await session(store, 'a');
    expect(await list(store)).toEqual(['a']);
  });

  it('[D11] an id that has no one spelling in bytes is refused', async () => {
    const store = await open(makeDir());
    for (const id of ['', '\ud800', 'a\udfffb', 'x'.repeat(4097)]) {
      await expect(store.session(id)).rejects.toMatchObject({ code: 'invalidArgument' });
    }
  });
});
