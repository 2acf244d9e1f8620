import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTranscript } from './index.ts';
import { codeOf, errorOf } from './testing/codes.ts';
import { open, openWith, testDirectory } from './testing/files.ts';
import { startWorker } from './testing/processes.ts';

describe('what is no transcript', () => {
  it('a directory, a missing directory, a file on the way', async () => {
    const directory = testDirectory();
    writeFileSync(join(directory, 'file'), '');
    const failed = (path: string) => errorOf(openTranscript({ path: join(directory, path) }));
    expect(await failed('.')).toMatchObject({ code: 'storeFailed', errno: 'EISDIR', path: directory });
    expect(await failed('none/s.jsonl')).toMatchObject({ code: 'storeFailed', errno: 'ENOENT' });
    expect(await failed('file/s.jsonl')).toMatchObject({ code: 'storeFailed', errno: 'ENOTDIR' });
    expect(await codeOf(openTranscript({ path: '' }))).toBe('invalidArgument');
    expect(await codeOf(openTranscript({ path: `${directory}/a\0b` }))).toBe('invalidArgument');
  });

  it('a pipe answers at once, also where it took the place of the file', async (context) => {
    const path = join(testDirectory(), 's.jsonl');
    const made = spawnSync('mkfifo', [path]);
    context.skip(made.status !== 0, 'mkfifo is not there');
    expect(await errorOf(openTranscript({ path }))).toMatchObject({ code: 'storeFailed', path });
    unlinkSync(path);
    const transcript = await open(path);
    await transcript.append({ type: 'tool', id: 'm1' });
    unlinkSync(path);
    spawnSync('mkfifo', [path]);
    for (const call of [
      () => transcript.readAll(),
      () => transcript.append({ type: 'x' }),
      () => transcript.health(),
    ]) {
      expect(await errorOf(call())).toMatchObject({ code: 'storeFailed', path });
    }
  });

  it('a link that took the place of the file is not followed', async () => {
    const transcript = await openWith('{"type":"tool","id":"m1"}\n');
    await transcript.append({ type: 'tool', id: 'm2' });
    const other = `${transcript.path}.other`;
    writeFileSync(other, 'untouched');
    unlinkSync(transcript.path);
    symlinkSync(other, transcript.path);
    expect(await errorOf(transcript.append({ type: 'x' }))).toMatchObject({
      code: 'storeFailed',
      errno: 'ELOOP',
    });
    expect(readFileSync(other, 'utf8')).toBe('untouched');
  });

  it('a file that vanished is told and not made again; put back, it goes on', async () => {
    const transcript = await openWith('{"type":"tool","id":"m1"}\n');
    await transcript.append({ type: 'tool', id: 'm2' });
    renameSync(transcript.path, `${transcript.path}.away`);
    const state = { messageId: 'm1', snapshotId: 's', state: 'kept' } as const;
    for (const call of [
      () => transcript.readAll(),
      () => transcript.readWindow({ limit: 1 }),
      () => transcript.findTool('m1'),
      () => transcript.health(),
      () => transcript.append({ type: 'x' }),
      () => transcript.appendReviewState(state),
    ]) {
      expect(await errorOf(call())).toMatchObject({
        code: 'storeFailed',
        errno: 'ENOENT',
        path: transcript.path,
      });
    }
    renameSync(`${transcript.path}.away`, transcript.path);
    expect(await transcript.appendReviewState(state)).toBe('appended');
  });
});

describe('a disk that refuses', () => {
  it('a file that may not be read', async () => {
    const directory = testDirectory();
    chmodSync(directory, 0o755);
    const path = join(directory, 's.jsonl');
    writeFileSync(path, '{"type":"tool","id":"m1"}\n', { mode: 0o000 });
    const worker = startWorker('unreadable-worker.ts', path);
    expect(await worker.done).toBe(0);
    expect(JSON.parse(worker.lines[0]!)).toEqual({
      readAll: ['storeFailed', 'EACCES'],
      findTool: ['storeFailed', 'EACCES'],
      append: ['storeFailed', 'EACCES'],
    });
    expect(statSync(path).size).toBe(26);
  });

  it('[D12] [D5] a full disk: an error, the old bytes unharmed, and a good line once there is space', async (context) => {
    const disk = mkdtempSync(join(tmpdir(), 'transcript-disk-'));
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', disk]);
    onTestFinished(() => {
      if (mounted.status === 0) spawnSync('umount', ['-l', disk]);
      rmSync(disk, { recursive: true, force: true });
    });
    context.skip(mounted.status !== 0, 'a small disk can be mounted by root alone');
    const transcript = await openTranscript({ path: join(disk, 's.jsonl') });
    await transcript.append({ type: 'tool', id: 'm1' });
    const good = readFileSync(transcript.path);
    const filler = join(disk, 'filler');
    writeFileSync(filler, '');
    truncateSync(filler, 0);
    expect(() => writeFileSync(filler, new Uint8Array(1024 * 1024))).toThrow(/ENOSPC/);
    truncateSync(filler, statSync(filler).size - 64 * 1024);
    const long = { type: 'tool', id: 'm2', text: 'x'.repeat(200_000) };
    expect(await errorOf(transcript.append(long))).toMatchObject({ code: 'storeFailed', errno: 'ENOSPC' });
    const torn = readFileSync(transcript.path);
    expect(torn.length).toBeGreaterThan(good.length);
    expect(torn.subarray(0, good.length)).toEqual(good);
    expect((await transcript.readAll()).items.map((item) => item.id)).toEqual(['m1']);
    const state = { messageId: 'm1', snapshotId: 's', state: 'kept' } as const;
    expect(await errorOf(transcript.appendReviewState(state))).toMatchObject({
      code: 'storeFailed',
      errno: 'ENOSPC',
    });
    unlinkSync(filler);
    expect(await transcript.appendReviewState(state)).toBe('appended');
    expect((await transcript.append(long)).ordinal).toBe(1);
    expect(readFileSync(transcript.path).subarray(0, torn.length)).toEqual(torn);
    expect((await transcript.readAll()).items.map((item) => item.id)).toEqual(['m1', 'm2']);
    expect((await transcript.health()).damaged).toEqual([
      { offset: good.length, length: torn.length - good.length, reason: 'json' },
    ]);
    await transcript.close();
  });

  it('a directory in which no lock can be made: reading goes on, appending says why', async (context) => {
    context.skip(process.getuid === undefined, 'needs POSIX rights');
    const directory = testDirectory();
    mkdirSync(join(directory, 'in'));
    const path = join(directory, 'in', 's.jsonl');
    writeFileSync(path, '{"type":"tool","id":"m1"}\n{"type":"to', { mode: 0o644 });
    chmodSync(directory, 0o755);
    chmodSync(join(directory, 'in'), 0o555);
    const worker = startWorker('unreadable-worker.ts', path);
    expect(await worker.done).toBe(0);
    expect(JSON.parse(worker.lines[0]!)).toEqual({
      readAll: ['m1'],
      findTool: 'm1',
      append: ['storeFailed', 'EACCES'],
    });
  });
});
