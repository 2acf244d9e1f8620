import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostLine } from './index.ts';
import { codeOf } from './testing/codes.ts';
import { open, openWith, testDirectory } from './testing/files.ts';

const tool = (id: string, snapshotId: string): HostLine => ({
  type: 'tool',
  id,
  details: { review: { change: { id: snapshotId }, hunks: [] } },
});

describe('append', () => {
  it('makes the file on the first append, for its owner alone, and nothing before', async () => {
    const path = join(testDirectory(), 'session.jsonl');
    const transcript = await open(path);
    expect(await transcript.readAll()).toEqual({ items: [] });
    expect(await transcript.health()).toEqual({ damaged: [] });
    expect(existsSync(path)).toBe(false);
    const first = await transcript.append({ type: 'session', version: 2 });
    const second = await transcript.append({ type: 'message', id: 'm1', text: 'é\n' });
    expect(readFileSync(path, 'utf8')).toBe(
      '{"type":"session","version":2}\n{"type":"message","id":"m1","text":"é\\n"}\n',
    );
    expect([first, second]).toEqual([
      { offset: 0, length: 30, ordinal: 0 },
      { offset: 31, length: 42, ordinal: 1 },
    ]);
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
  });

  it('answers what reading answers, warm and cold', async () => {
    const transcript = await openWith('{"type":"session"}\n{"type":"mess');
    const places = [];
    for (const id of ['a', 'b', 'c']) places.push(await transcript.append({ type: 'message', id }));
    const cold = await open(transcript.path);
    for (const each of [transcript, cold]) {
      const { items } = await each.readAll();
      expect(items.slice(1).map(({ review: { states: _, ...place } }) => place)).toEqual(places);
      expect((await each.findTool('b'))?.review).toEqual({ ...places[1], states: {} });
    }
  });

  it('keeps every type, and gives each line back with one member more', async () => {
    const transcript = await open(join(testDirectory(), 's.jsonl'));
    const lines: HostLine[] = [
      { type: 'session', id: 's' },
      { type: 'compaction', summary: 'x', nested: { review: 1 } },
      { type: 'host.own', id: 'm', value: [1, null] },
    ];
    for (const line of lines) await transcript.append(line);
    const { items } = await transcript.readAll();
    expect(items.map(({ review: _, ...line }) => line)).toEqual(lines);
    expect(items.map((item) => item.review.ordinal)).toEqual([0, 1, 2]);
    expect(await transcript.findTool('m')).toBe(null);
  });

  it('refuses a line over the limit, and writes nothing', async () => {
    const transcript = await open(join(testDirectory(), 's.jsonl'));
    const line = { type: 'message', id: 'm', text: 'x'.repeat(16 * 1024 * 1024) };
    expect(await codeOf(transcript.append(line))).toBe('invalidArgument');
    expect(existsSync(transcript.path)).toBe(false);
  });

  it('keeps its lock in a directory of its own, the same for each name of the file', async () => {
    const directory = testDirectory();
    mkdirSync(join(directory, 'real'));
    symlinkSync('real', join(directory, 'alias'));
    symlinkSync('real/s.jsonl', join(directory, 'link.jsonl'));
    const real = await open(join(directory, 'real', 's.jsonl'));
    await real.append({ type: 'message', id: 'm1' });
    const others = [
      await open(join(directory, 'alias', 's.jsonl')),
      await open(join(directory, 'link.jsonl')),
    ];
    for (const each of others) {
      expect(each.path).toBe(real.path);
      await each.append({ type: 'message', id: 'm2' });
    }
    expect(readdirSync(directory).sort()).toEqual(['alias', 'link.jsonl', 'real']);
    expect(readdirSync(join(directory, 'real')).sort()).toEqual(['.backstitch-locks', 's.jsonl']);
    expect(lstatSync(join(directory, 'real', '.backstitch-locks')).mode & 0o777).toBe(0o700);
  });

  it('answers closed once it is closed', async () => {
    const transcript = await open(join(testDirectory(), 's.jsonl'));
    const last = transcript.append({ type: 'message', id: 'm1' });
    await transcript.close();
    expect((await last).ordinal).toBe(0);
    expect(await codeOf(transcript.append({ type: 'message', id: 'm2' }))).toBe('closed');
    expect(await codeOf(transcript.readAll())).toBe('closed');
    await transcript.close();
  });
});

describe('review states', () => {
  it('[A1] are lines of their own: no message moves and no byte of it changes', async () => {
    const transcript = await openWith('');
    for (const id of ['m1', 'm2', 'm3']) await transcript.append(tool(id, `of-${id}`));
    const bytes = readFileSync(transcript.path);
    const before = (await transcript.readAll()).items;
    const page = await transcript.readWindow({ limit: 2 });
    await transcript.appendReviewState({ messageId: 'm1', snapshotId: 'of-m1', state: 'rolledBack' });
    await transcript.append(tool('m4', 'of-m4'));
    const after = (await transcript.readAll()).items;
    const place = ({ review: { states: _, ...rest } }: (typeof after)[number]): object => rest;
    expect(after.slice(0, 3).map(place)).toEqual(before.map(place));
    expect(after[3]?.review.ordinal).toBe(3);
    expect(readFileSync(transcript.path).subarray(0, bytes.length)).toEqual(bytes);
    const again = await transcript.readWindow({ before: page.prevCursor, limit: 2 });
    expect(again.items.map((item) => item.id)).toEqual(['m1']);
  });

  it('[A2] [A3] lie over full, bounded and point reads; the last line wins, also of equal length', async () => {
    const transcript = await openWith('');
    await transcript.append(tool('m1', 's1'));
    for (const state of ['pending', 'rolledBack', 'undoing', 'aborted', 'active', 'kept'] as const) {
      expect(await transcript.appendReviewState({ messageId: 'm1', snapshotId: 's1', state })).toBe(
        'appended',
      );
      for (const each of [transcript, await open(transcript.path)]) {
        expect((await each.readAll()).items[0]?.review.states).toEqual({ s1: state });
        expect((await each.readWindow({ limit: 1 })).items[0]?.review.states).toEqual({ s1: state });
        expect((await each.findTool('m1'))?.review.states).toEqual({ s1: state });
        expect(await each.reviewStates()).toEqual({ m1: { s1: state } });
      }
    }
  });

  it('[A5] a duplicate is not written, and neither is a state without its owner', async () => {
    const transcript = await openWith('');
    await transcript.append(tool('m1', 's1'));
    await transcript.append({ type: 'message', id: 'any' });
    await transcript.append({ type: 'host.own', id: 'h1' });
    const say = (messageId: string, snapshotId: string) =>
      transcript.appendReviewState({ messageId, snapshotId, state: 'kept' });
    expect(await say('m1', 's1')).toBe('appended');
    const size = lstatSync(transcript.path).size;
    expect(await say('m1', 's1')).toBe('duplicate');
    expect(await say('m1', 'another')).toBe('ownerMissing');
    expect(await say('m2', 's1')).toBe('ownerMissing');
    expect(await say('h1', 's1')).toBe('ownerMissing');
    expect(lstatSync(transcript.path).size).toBe(size);
    expect(await say('any', 's9')).toBe('appended');
  });

  it('a state without any file is ownerMissing and makes none', async () => {
    const transcript = await open(join(testDirectory(), 's.jsonl'));
    const state = { messageId: 'm1', snapshotId: 's1', state: 'kept' } as const;
    expect(await transcript.appendReviewState(state)).toBe('ownerMissing');
    expect(existsSync(transcript.path)).toBe(false);
  });

  it('[A6] touches the session through the callback, for written states alone', async () => {
    let touched = 0;
    const transcript = await open(join(testDirectory(), 's.jsonl'), () => {
      touched += 1;
      throw new Error('the callback of the host failed');
    });
    const warning = new Promise<Error>((resolve) => process.once('warning', resolve));
    await transcript.append(tool('m1', 's1'));
    const state = { messageId: 'm1', snapshotId: 's1', state: 'kept' } as const;
    await transcript.appendReviewState({ ...state, messageId: 'm2' });
    expect(touched).toBe(0);
    expect(await transcript.appendReviewState(state)).toBe('appended');
    expect(await transcript.appendReviewState(state)).toBe('duplicate');
    expect(touched).toBe(1);
    expect((await warning).message).toBe('the callback of the host failed');
  });

  it.each(['__proto__', 'constructor', 'toString', '1'])('take %s for an id like any other', async (id) => {
    const transcript = await openWith('');
    await transcript.append({ type: 'message', id: 'other' });
    await transcript.append(tool(id, id));
    expect(await transcript.appendReviewState({ messageId: id, snapshotId: id, state: 'kept' })).toBe(
      'appended',
    );
    const found = await transcript.findTool(id);
    expect(Object.entries(found?.review.states ?? {})).toEqual([[id, 'kept']]);
    const states = await transcript.reviewStates();
    expect(Object.keys(states)).toEqual([id]);
    expect(Object.entries(states[id] ?? {})).toEqual([[id, 'kept']]);
    expect((await transcript.findTool('other'))?.review.states).toEqual({});
    expect(await transcript.findTool(`${id}x`)).toBe(null);
    expect(({} as Record<string, unknown>).kept).toBe(undefined);
  });

  it.each([
    ['no message', { messageId: '', snapshotId: 's', state: 'kept' }],
    ['no snapshot', { messageId: 'm', state: 'kept' }],
    ['a state that is none', { messageId: 'm', snapshotId: 's', state: 'lost' }],
    ['half a character', { messageId: 'm\ud83d', snapshotId: 's', state: 'kept' }],
  ])('refuse %s', async (_, state) => {
    const transcript = await openWith('{"type":"message","id":"m"}\n');
    expect(await codeOf(transcript.appendReviewState(state as never))).toBe('invalidArgument');
    expect(await codeOf(transcript.reviewLog().resync([state as never]))).toBe('invalidArgument');
    expect(lstatSync(transcript.path).size).toBe(28);
  });

  it('a tool line owns before a message line of the same id, and the later of two tool lines', async () => {
    const transcript = await openWith('');
    await transcript.append({ type: 'message', id: 'm1', text: 'asks' });
    await transcript.append({ ...tool('m1', 's1'), try: 1 });
    await transcript.append({ ...tool('m1', 's1'), try: 2 });
    await transcript.append({ type: 'message', id: 'm1', text: 'answers' });
    expect(await transcript.findTool('m1')).toMatchObject({ type: 'tool', try: 2 });
  });
});
