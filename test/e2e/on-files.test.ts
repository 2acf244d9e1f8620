import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ReviewError } from '@backstitch/review-core';
import { afterEach, describe, expect, it } from 'vitest';
import type { Folder, OpenHost } from './host.fixture.ts';
import { makeFolder, openHost, request, SESSION, undo, write } from './host.fixture.ts';

const open: { folder: Folder; hosts: OpenHost[] }[] = [];

async function start(files: Record<string, string | Uint8Array> = {}) {
  const folder = makeFolder(files);
  const hosts: OpenHost[] = [];
  open.push({ folder, hosts });
  const next = async (): Promise<OpenHost> => {
    const host = await openHost(folder);
    hosts.push(host);
    return host;
  };
  return { folder, next, host: await next() };
}

afterEach(async () => {
  for (const { folder, hosts } of open.splice(0)) {
    for (const host of hosts) await host.close();
    folder.remove();
  }
});

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error: unknown) => (ReviewError.isInstance(error) ? error.code : `foreign: ${String(error)}`),
  );

describe('on real files', () => {
  it('[G1] [C004] the same session after a restart: conflict over a foreign edit, then the exact bytes', async () => {
    const { folder, host, next } = await start({ 'a.txt': 'old\r\n' });
    const id = await write(host, 'a.txt', 'new\n');
    await host.close();
    const later = await next();
    folder.put('a.txt', 'foreign\n');
    expect(await undo(later, id)).toMatchObject({
      status: 'conflict',
      reason: 'changedOnDisk',
      wrote: false,
    });
    expect(folder.text('a.txt')).toBe('foreign\n');
    folder.put('a.txt', 'new\n');
    expect(await undo(later, id)).toMatchObject({ status: 'rolledBack', wrote: true });
    expect(folder.text('a.txt')).toBe('old\r\n');
    expect(folder.names()).toEqual(['a.txt']);
  });

  it('[G8] A→B, B→C, C→B never puts the wrong bytes back', async () => {
    const { folder, host } = await start({ 'a.txt': 'A\n' });
    const ids = [
      await write(host, 'a.txt', 'B\n'),
      await write(host, 'a.txt', 'C\n'),
      await write(host, 'a.txt', 'B\n'),
    ];
    expect(await undo(host, ids[0]!)).toMatchObject({
      status: 'conflict',
      reason: 'laterChange',
      laterChange: ids[2],
    });
    expect(await undo(host, ids[1]!)).toMatchObject({ status: 'conflict', reason: 'laterChange' });
    const seen: string[] = [];
    for (const id of ids.reverse()) {
      expect((await undo(host, id)).status).toBe('rolledBack');
      seen.push(folder.text('a.txt'));
    }
    expect(seen).toEqual(['C\n', 'B\n', 'A\n']);
  });

  it('[C101] keeps 0755 over an edit and its undo, and over a delete and its undo', async () => {
    const { folder, host } = await start({ 'run.sh': '#!/bin/sh\n' });
    chmodSync(folder.path('run.sh'), 0o755);
    const edited = await write(host, 'run.sh', '#!/bin/sh\necho\n');
    expect(statSync(folder.path('run.sh')).mode & 0o7777).toBe(0o755);
    await undo(host, edited);
    const { change } = await host.service.capture(request('run.sh', { operation: 'delete' }), (target) =>
      target.remove(),
    );
    expect(folder.names()).toEqual([]);
    expect((await undo(host, change!.id)).status).toBe('rolledBack');
    expect(statSync(folder.path('run.sh')).mode & 0o7777).toBe(0o755);
    expect(folder.text('run.sh')).toBe('#!/bin/sh\n');
  });

  it('[C106] decides by the bytes alone: a touched file is undone', async () => {
    const { folder, host } = await start({ 'a.txt': 'old' });
    const id = await write(host, 'a.txt', 'new');
    execFileSync('touch', ['-d', '2001-01-01', folder.path('a.txt')]);
    expect((await undo(host, id)).status).toBe('rolledBack');
  });

  it('[C047] [G5] a link in the place of the file is a conflict, and what it points to stays', async () => {
    const { folder, host } = await start({ 'm.json': 'old', 'c.json': 'new' });
    const id = await write(host, 'm.json', 'new');
    rmSync(folder.path('m.json'));
    symlinkSync('c.json', folder.path('m.json'));
    expect(await undo(host, id)).toMatchObject({ status: 'conflict', reason: 'replacedKind', wrote: false });
    expect(readlinkSync(folder.path('m.json'))).toBe('c.json');
    expect(folder.text('c.json')).toBe('new');
  });

  it('[C034] [D8] nothing is written through a linked folder', async () => {
    const { folder, host } = await start();
    const outside = join(folder.base, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, folder.path('d'));
    expect(await codeOf(write(host, 'd/new.txt', 'x'))).toBe('pathRefused');
    expect(readdirSync(outside)).toEqual([]);
  });

  it('[C094] [D9] a FIFO, a folder and a device answer at once, with a typed reason', async () => {
    const { folder, host } = await start();
    execFileSync('mkfifo', [folder.path('pipe')]);
    mkdirSync(folder.path('folder'));
    expect(await codeOf(write(host, 'pipe', 'x'))).toBe('unsupportedKind');
    expect(await codeOf(write(host, 'folder', 'x'))).toBe('unsupportedKind');
    const id = await write(host, 'a.txt', 'x');
    rmSync(folder.path('a.txt'));
    execFileSync('mkfifo', [folder.path('a.txt')]);
    expect(await undo(host, id)).toMatchObject({ status: 'conflict', reason: 'replacedKind', wrote: false });
    expect(lstatSync(folder.path('a.txt')).isFIFO()).toBe(true);
  });

  it('[C035] refuses what lies outside by segments, not by prefix', async () => {
    const { folder, host } = await start();
    writeFileSync(`${folder.root}-other`, 'x');
    for (const path of [
      '../up.txt',
      'a/../../up.txt',
      `${folder.root}-other`,
      folder.root,
      `${folder.root}/`,
      '.',
      '..',
    ]) {
      expect(await codeOf(write(host, path, 'x')), path).toBe('pathRefused');
    }
    expect(await codeOf(write(host, 'nul\0byte', 'x'))).toBe('pathRefused');
  });

  it('refuses to undo a file that got a second hard link', async () => {
    const { folder, host } = await start({ 'a.txt': 'old' });
    const id = await write(host, 'a.txt', 'new');
    linkSync(folder.path('a.txt'), folder.path('b.txt'));
    expect(await undo(host, id)).toMatchObject({ status: 'unavailable', reason: 'hardLinked', wrote: false });
    expect([folder.text('a.txt'), folder.text('b.txt')]).toEqual(['new', 'new']);
  });

  it('[C109] makes missing parents again, and nothing where the root is gone', async () => {
    const { folder, host } = await start({ 'd/e/f.txt': 'bytes' });
    const { change } = await host.service.capture(request('d/e/f.txt', { operation: 'delete' }), (target) =>
      target.remove(),
    );
    rmSync(folder.path('d'), { recursive: true });
    expect((await undo(host, change!.id)).status).toBe('rolledBack');
    expect(folder.text('d/e/f.txt')).toBe('bytes');
    const id = await write(host, 'g.txt', 'x');
    rmSync(folder.root, { recursive: true });
    expect(await undo(host, id)).toMatchObject({ status: 'conflict', reason: 'rootChanged', wrote: false });
    expect(readdirSync(folder.base)).not.toContain('work');
  });

  it('[C001] [C010] [C022] [C023] touches no other file: listing, bytes, modes and times are equal', async () => {
    const { folder, host } = await start({
      'a.txt': 'old',
      '.gitignore': 'secret/',
      'secret/k': 'k',
      'out/r.bin': 'r',
    });
    const look = (): string =>
      folder
        .names()
        .filter((name) => name !== 'a.txt')
        .map((name) => {
          const { mode, mtimeMs, ino } = statSync(folder.path(name));
          return `${name} ${mode} ${mtimeMs} ${ino}`;
        })
        .join('\n');
    // The folder's own time moves with the file in it.
    const before = look();
    const id = await write(host, 'a.txt', 'new');
    await undo(host, id);
    expect(look()).toBe(before);
  });

  it('[C041] [D15] keeps the store private whatever the umask', async () => {
    const old = process.umask(0);
    try {
      const { folder, host } = await start({ 'a.txt': 'old' });
      await write(host, 'a.txt', 'new');
      const store = join(folder.base, 'store');
      const names = readdirSync(store, { recursive: true, encoding: 'utf8' });
      const loose = names.filter((name) => (statSync(join(store, name)).mode & 0o077) !== 0);
      expect(loose).toEqual([]);
      expect(statSync(store).mode & 0o777).toBe(0o700);
    } finally {
      process.umask(old);
    }
  });

  it('[C11] [C046] stores no byte of a sensitive file', async () => {
    const { folder, host } = await start({ 'app/.env': 'TOKEN=hunter2-before\n' });
    await host.service.capture(request('app/.env'), (target) => target.write('TOKEN=hunter2-after\n'));
    expect(folder.text('app/.env')).toBe('TOKEN=hunter2-after\n');
    const store = join(folder.base, 'store');
    for (const name of readdirSync(store, { recursive: true, encoding: 'utf8' })) {
      const path = join(store, name);
      if (statSync(path).isFile()) expect(readFileSync(path).includes('hunter2'), name).toBe(false);
    }
  });

  it('[A1] writes the transcript by appending only, and the states survive a restart', async () => {
    const { folder, host, next } = await start({ 'a.txt': 'old' });
    const path = join(folder.base, 'transcript.jsonl');
    const { change } = await host.service.capture(request('a.txt'), (target) => target.write('new'));
    await host.transcript.append({ type: 'tool', id: change!.messageId, details: { review: { change } } });
    const before = readFileSync(path);
    expect((await undo(host, change!.id)).status).toBe('rolledBack');
    const after = readFileSync(path);
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    expect(after.length).toBeGreaterThan(before.length);
    await host.close();
    const later = await next();
    expect(await later.transcript.reviewStates()).toEqual({
      [change!.messageId]: { [change!.id]: 'rolledBack' },
    });
  });

  it('[D10] [C065] a damaged line in the journal hides no other change, and the host starts', async () => {
    const { folder, host, next } = await start();
    const ids = [await write(host, 'a', '1'), await write(host, 'b', '1'), await write(host, 'c', '1')];
    await host.close();
    const journal = readdirSync(join(folder.base, 'store'), { recursive: true, encoding: 'utf8' }).find(
      (name) => name.endsWith('journal.jsonl'),
    )!;
    const path = join(folder.base, 'store', journal);
    const lines = readFileSync(path, 'utf8').split('\n');
    const hit = lines.findIndex((line) => line.includes('"t":"pending"') && line.includes(ids[1]!));
    lines[hit] = lines[hit]!.replace('"seq"', '"sEq"');
    writeFileSync(path, lines.join('\n'));
    const later = await next();
    const { items } = await later.service.list({ sessionId: SESSION });
    expect(items.filter((item) => 'state' in item).map((item) => item.id)).toEqual([ids[0], ids[2]]);
    expect(items.some((item) => 'unreadable' in item)).toBe(true);
    expect((await undo(later, ids[2]!)).status).toBe('rolledBack');
  });

  it('[D6] two hosts on one store give one order, and see each other', async () => {
    const { host, next } = await start();
    const other = await next();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        write(index % 2 === 0 ? host : other, `f${index}`, `${index}`),
      ),
    );
    const [mine, theirs] = await Promise.all(
      [host, other].map((each) => each.service.list({ sessionId: SESSION })),
    );
    expect(mine).toEqual(theirs);
    expect(mine!.items.map((item) => item.seq)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  it('[U10] a subscriber hears of another process’s change', async () => {
    const { folder, host } = await start({ 'a.txt': 'old' });
    await host.service.startRound({ sessionId: SESSION, round: { id: 'r', ordinal: 1 } });
    const heard = new Promise<string[]>((resolve) => {
      host.service.subscribe((event) => {
        if (event.snapshotIds.length > 0) resolve(event.snapshotIds);
      });
    });
    const other = await openHost(folder);
    const id = await write(other, 'a.txt', 'new');
    expect(await heard).toEqual([id]);
    await other.close();
  });
});
