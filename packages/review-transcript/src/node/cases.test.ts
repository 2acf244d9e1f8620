import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Transcript } from './index.ts';
import { caseInput, openWith } from './testing/files.ts';

const openCase = (name: string): Promise<Transcript> => openWith(caseInput(name));

async function idsOf(transcript: Transcript): Promise<unknown[]> {
  return (await transcript.readAll()).items.map((item) => item.id);
}

describe('[A10] public inputs', () => {
  it('[C049] a tail torn inside a character is damage, and one append later it is followed by a good line', async () => {
    const bytes = caseInput('jsonl-torn-utf8');
    const transcript = await openCase('jsonl-torn-utf8');
    expect(await idsOf(transcript)).toEqual(['m1', 'm2']);
    const tail = Buffer.from(bytes).lastIndexOf('\n') + 1;
    expect(await transcript.health()).toEqual({
      damaged: [{ offset: tail, length: bytes.length - tail, reason: 'tail' }],
    });
    await transcript.append({ type: 'message', id: 'm4' });
    expect(await idsOf(transcript)).toEqual(['m1', 'm2', 'm4']);
    expect((await transcript.health()).damaged).toHaveLength(1);
    const file = readFileSync(transcript.path);
    expect(file.subarray(0, bytes.length)).toEqual(Buffer.from(bytes));
    expect(file.subarray(bytes.length).toString()).toBe('\n{"type":"message","id":"m4"}\n');
  });

  it('[C050] lines behind a bad one are seen by full, bounded and point reads', async () => {
    const transcript = await openCase('jsonl-bad-middle');
    expect(await idsOf(transcript)).toEqual(['m1', 'm3', 'm4']);
    const page = await transcript.readWindow({ limit: 10 });
    expect(page.items.map((item) => item.id)).toEqual(['m1', 'm3', 'm4']);
    expect((await transcript.findTool('m4'))?.text).toBe('t4');
    expect((await transcript.findTool('m1'))?.review.states).toEqual({ s1: 'rolledBack' });
    expect(await transcript.health()).toEqual({ damaged: [{ offset: 41, length: 27, reason: 'json' }] });
  });

  it('[C052] two records on one line are two lines', async () => {
    const transcript = await openCase('jsonl-glued');
    expect(await idsOf(transcript)).toEqual(['m1', 'm2', 'm3', 'm4']);
    for (const id of ['m1', 'm2', 'm3', 'm4']) {
      expect((await transcript.findTool(id))?.text).toBe(id.replace('m', 't'));
    }
    expect(await transcript.health()).toEqual({ damaged: [] });
  });

  it('[C052] a brace inside a string splits nothing', async () => {
    const transcript = await openCase('jsonl-glued-brace-in-string');
    const { items } = await transcript.readAll();
    expect(items.map(({ id, text }) => ({ id, text }))).toEqual([
      { id: 'm1', text: 'a }{ b' },
      { id: 'm2', text: 't2' },
    ]);
    expect(await transcript.findTool('m2')).toEqual(items[1]);
  });

  it('[C053] two writes without a lock: records recovered, the blank line ignored', async () => {
    const transcript = await openCase('jsonl-two-writes');
    expect(await idsOf(transcript)).toEqual(['m1', 'm2', 'm3']);
    expect(await transcript.health()).toEqual({ damaged: [] });
  });

  it('[C055] half a character is read as U+FFFD', async () => {
    const transcript = await openCase('jsonl-lone-surrogate');
    expect(await idsOf(transcript)).toEqual(['m1', 'm2', 'm3']);
    expect((await transcript.findTool('m2'))?.text).toBe('cut \ufffd…');
  });

  it('[C058] the order of lines is the order in the file', async () => {
    expect(await idsOf(await openCase('jsonl-clock-back'))).toEqual(['0002-b', '0001-a']);
  });

  it('[C058] [A3] the last state line in the file wins, whatever its clock says', async () => {
    const transcript = await openCase('jsonl-state-order');
    expect(await transcript.reviewStates()).toEqual({ m1: { s1: 'active' } });
    expect((await transcript.readAll()).items[0]?.review.states).toEqual({ s1: 'active' });
  });

  it('[C061] a record with a raw line break is one damaged region', async () => {
    const transcript = await openCase('jsonl-raw-newline');
    expect(await idsOf(transcript)).toEqual(['m1', 'm3']);
    expect(await transcript.health()).toEqual({ damaged: [{ offset: 41, length: 51, reason: 'json' }] });
  });

  it('[C062] an unknown type and unknown members are kept', async () => {
    const transcript = await openCase('jsonl-unknown-type');
    const { items } = await transcript.readAll();
    expect(items.map(({ review: _, ...line }) => line)).toEqual([
      { type: 'message', id: 'm1', text: 't1' },
      { type: 'future_thing', v: 9, id: 'm1' },
      { type: 'message', id: 'm2', text: 't2' },
    ]);
    expect(await transcript.reviewStates()).toEqual({ m1: { s1: 'rolledBack' } });
    expect((await transcript.findTool('m1'))?.type).toBe('message');
    expect(await transcript.health()).toEqual({ damaged: [] });
  });

  it('a byte-order mark and CR before LF are no part of a line', async () => {
    const transcript = await openCase('jsonl-crlf-bom');
    expect(await idsOf(transcript)).toEqual(['m1', 'm2']);
    expect((await transcript.findTool('m1'))?.text).toBe('t1');
    expect(await transcript.health()).toEqual({ damaged: [] });
  });

  it('U+2028 and U+2029 end no line', async () => {
    const transcript = await openCase('jsonl-u2028-in-string');
    expect((await transcript.readAll()).items.map((item) => item.text)).toEqual(['a\u2028b\u2029c', 't2']);
  });
});
