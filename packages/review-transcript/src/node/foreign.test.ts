import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Transcript } from './index.ts';
import { codeOf, errorOf } from './testing/codes.ts';
import { open, openWith } from './testing/files.ts';

const LINES = ['m1', 'm2', 'm3'].map((id) => `{"type":"tool","id":"${id}","text":"t"}\n`);
const STATE = '{"type":"tool_review_state","messageId":"m1","snapshotId":"s1","state":"kept"}\n';

/** Longer than what a reader remembers of the end of the file. */
const FAR = `{"type":"tool","id":"far","text":"${'x'.repeat(400)}"}\n`;

const idsOf = async (transcript: Transcript): Promise<unknown[]> =>
  (await transcript.readWindow({ limit: 100 })).items.map((item) => item.id);

/** Over the bytes at a place; size and time of change as before. Goes on until the system's clock shows it. */
function overwrite(path: string, offset: number, text: string): void {
  const { atime, mtime, ctimeNs } = statSync(path, { bigint: true });
  const fd = openSync(path, 'r+');
  do {
    writeSync(fd, text, offset);
    utimesSync(path, atime, mtime);
  } while (statSync(path, { bigint: true }).ctimeNs === ctimeNs);
  closeSync(fd);
}

describe('a file that others write to', () => {
  it('shows their lines on the next operation', async () => {
    const transcript = await openWith(LINES[0]!);
    expect(await idsOf(transcript)).toEqual(['m1']);
    appendFileSync(transcript.path, LINES[1]! + STATE);
    expect(await idsOf(transcript)).toEqual(['m1', 'm2']);
    expect(await transcript.reviewStates()).toEqual({ m1: { s1: 'kept' } });
    const other = await open(transcript.path);
    await other.append({ type: 'tool', id: 'm3' });
    expect((await transcript.findTool('m3'))?.review.ordinal).toBe(2);
  });

  it('takes a tail without its LF for a line that is not there yet, until it is', async () => {
    const transcript = await openWith(LINES[0]!);
    for (const char of LINES[1]!.slice(0, -2)) {
      appendFileSync(transcript.path, char);
      expect(await idsOf(transcript)).toEqual(['m1']);
    }
    appendFileSync(transcript.path, '}');
    expect(await idsOf(transcript)).toEqual(['m1', 'm2']);
    appendFileSync(transcript.path, `\n${LINES[2]!.trimEnd()}`);
    expect(await idsOf(transcript)).toEqual(['m1', 'm2', 'm3']);
    expect(await transcript.health()).toEqual({ damaged: [] });
    await transcript.append({ type: 'tool', id: 'm4' });
    expect(await idsOf(transcript)).toEqual(['m1', 'm2', 'm3', 'm4']);
    expect(await idsOf(await open(transcript.path))).toEqual(['m1', 'm2', 'm3', 'm4']);
    expect(readFileSync(transcript.path, 'utf8')).toBe(`${LINES.join('')}{"type":"tool","id":"m4"}\n`);
  });

  it('is read anew when it was replaced, and appends go to the new one', async () => {
    const transcript = await openWith(LINES.join(''));
    await transcript.append({ type: 'tool', id: 'm4' });
    const { prevCursor } = await transcript.readWindow({ limit: 1 });
    writeFileSync(`${transcript.path}.new`, LINES[2]! + LINES[0]! + LINES[2]!.repeat(9));
    renameSync(`${transcript.path}.new`, transcript.path);
    expect((await transcript.append({ type: 'tool', id: 'm5' })).ordinal).toBe(11);
    expect((await idsOf(transcript)).filter((id) => id !== 'm3')).toEqual(['m1', 'm5']);
    expect(await transcript.findTool('m2')).toBe(null);
    expect(await codeOf(transcript.readWindow({ before: prevCursor, limit: 1 }))).toBe('cursorExpired');
  });

  it('is read anew when it was written over in place, shorter or longer', async () => {
    const transcript = await openWith(LINES.join(''));
    expect(await idsOf(transcript)).toEqual(['m1', 'm2', 'm3']);
    writeFileSync(transcript.path, LINES[1]!);
    expect(await idsOf(transcript)).toEqual(['m2']);
    writeFileSync(transcript.path, LINES.toReversed().join('') + STATE);
    expect(await idsOf(transcript)).toEqual(['m3', 'm2', 'm1']);
    expect(await transcript.reviewStates()).toEqual({ m1: { s1: 'kept' } });
  });

  it('[A8] a line that was damaged in place gives a point-read error, and hides no other', async () => {
    const transcript = await openWith(LINES.join(''));
    expect(await idsOf(transcript)).toEqual(['m1', 'm2', 'm3']);
    overwrite(transcript.path, LINES[0]!.length + 21, '"');
    const error = await errorOf(transcript.findTool('m2'));
    expect(error).toMatchObject({ code: 'storeDamaged', path: transcript.path });
    expect(error.message).toContain('"m2"');
    expect(await codeOf(transcript.findTool('m2'))).toBe('storeDamaged');
    expect(await idsOf(transcript)).toEqual(['m1', 'm3']);
    expect((await transcript.findTool('m3'))?.id).toBe('m3');
    expect((await transcript.health()).damaged).toHaveLength(1);
    const state = { messageId: 'm2', snapshotId: 's', state: 'kept' } as const;
    expect(await transcript.appendReviewState(state)).toBe('ownerMissing');
    await transcript.append({ type: 'tool', id: 'm2' });
    expect((await transcript.findTool('m2'))?.review.ordinal).toBe(2);
  });

  it('[A8] a line changed in place with an append behind it is never taken for another', async () => {
    const transcript = await openWith(LINES.join('') + FAR);
    expect(await idsOf(transcript)).toEqual(['m1', 'm2', 'm3', 'far']);
    overwrite(transcript.path, LINES[0]!.length, LINES[1]!.replace('m2', 'mX'));
    appendFileSync(transcript.path, '{"type":"tool","id":"m4"}\n');
    expect(await codeOf(transcript.findTool('m2'))).toBe('storeDamaged');
    expect(await idsOf(transcript)).toEqual(['m1', 'mX', 'm3', 'far', 'm4']);
    expect((await transcript.findTool('mX'))?.review.ordinal).toBe(1);
  });

  it('[A8] states are read anew after a change in place that moved no line', async () => {
    const transcript = await openWith(LINES[0] + STATE + FAR);
    // Whole seconds, so that `overwrite` can give the very same time back.
    utimesSync(transcript.path, 1_700_000_000, 1_700_000_000);
    expect(await transcript.reviewStates()).toEqual({ m1: { s1: 'kept' } });
    overwrite(transcript.path, LINES[0]!.length, STATE.replace('s1', 's2'));
    expect(await transcript.reviewStates()).toEqual({ m1: { s2: 'kept' } });
  });

  it('states are read anew after the file was written over in place with more lines', async () => {
    const transcript = await openWith(LINES[0] + STATE);
    expect(await transcript.reviewStates()).toEqual({ m1: { s1: 'kept' } });
    writeFileSync(transcript.path, LINES[0] + STATE.replace('kept', 'rolledBack') + LINES[1]);
    expect(await transcript.reviewStates()).toEqual({ m1: { s1: 'rolledBack' } });
  });
});

describe('damaged state lines', () => {
  it('a state line with a wrong check is damage, and the state before it stands', async () => {
    const transcript = await openWith('');
    await transcript.append({ type: 'tool', id: 'm1' });
    const say = (state: 'kept' | 'rolledBack') =>
      transcript.appendReviewState({ messageId: 'm1', snapshotId: 's1', state });
    await say('kept');
    await say('rolledBack');
    const text = readFileSync(transcript.path, 'utf8');
    const offset = text.lastIndexOf('{"type":"tool_review_state"');
    const changed = text.slice(offset).replace('rolledBack', 'rolledback').trimEnd();
    overwrite(transcript.path, offset, changed);
    const cold = await open(transcript.path);
    expect(await cold.reviewStates()).toEqual({ m1: { s1: 'kept' } });
    expect(await cold.health()).toEqual({ damaged: [{ offset, length: changed.length, reason: 'check' }] });
  });

  it('[C062] a state that this version does not know is told, not shown', async () => {
    const line = '{"type":"tool_review_state","messageId":"m1","snapshotId":"s1","state":"archived"}';
    const transcript = await openWith(`${LINES[0]}${line}\n42\n{"id":"no type"}\n`);
    expect((await transcript.findTool('m1'))?.review.states).toEqual({});
    const reasons = (await transcript.health()).damaged.map((region) => region.reason);
    expect(reasons).toEqual(['unknownState', 'shape', 'shape']);
  });
});
