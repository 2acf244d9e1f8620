/**
 * Places of a journal file. A revision is `<device>-<inode>-<birth>:<offset>`. The time of birth is part of it since
 * a file system gives the number of a removed file to the next one; the offset is where the entry before it ends, in
 * front of its LF.
 */
import { lstatSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { readLineLog } from '@backstitch/durable-node';
import type { Revision } from '@backstitch/review-core';
import { decodeEntry } from './journal.ts';

export interface JournalFile {
  path: string;
  dev: bigint;
  ino: bigint;
  /** Device, inode and birth: no other journal has or had the same. */
  identity: string;
  size: number;
}

const LF = 0x0a;
const BLOCK = 64 * 1024;

/** Null where there is no journal. */
export function statJournal(path: string): JournalFile | null {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return null;
  const { dev, ino, birthtimeNs, size } = stats;
  return { path, dev, ino, identity: `${dev}-${ino}-${birthtimeNs}`, size: Number(size) };
}

export function revisionAt(file: JournalFile, offset: number): Revision {
  return `${file.identity}:${offset}`;
}

/** Null where it is no place of this file as it is now. */
export async function offsetOf(file: JournalFile, revision: Revision): Promise<number | null> {
  const [, identity, digits] = /^(\d+-\d+-\d+):(\d{1,15})$/.exec(revision) ?? [];
  if (identity !== file.identity) return null;
  const offset = Number(digits);
  return offset <= file.size && (await isBetween(file, offset)) ? offset : null;
}

/**
 * Whether an entry may end there. What was read once and taken by a power cut may have been written over since: then
 * the offset lies within a line.
 */
async function isBetween({ path, size }: JournalFile, offset: number): Promise<boolean> {
  if (offset === 0 || offset === size) return true;
  const around = await readAt(path, offset - 1, 2);
  const [before, after] = Buffer.from(around).toString('latin1');
  const glued = before === '}' && after === '{';
  return glued || before === '\n' || before === '\0' || after === '\n' || after === '\r' || after === '\0';
}

/** Where the last entry ends that a reader is shown. */
export async function endOfEntries(file: JournalFile): Promise<number> {
  const lineStart = await startOfLastLine(file);
  let end = Math.max(0, lineStart - 1);
  for await (const entry of readLineLog(file.path, { from: lineStart, to: file.size })) {
    const decoded = decodeEntry(entry, file.size);
    if (decoded !== null) end = decoded.offset + decoded.length;
  }
  return end;
}

/** The highest generation among the last lines: those of a session only grow. 0 where there is none. */
export async function lastGeneration(file: JournalFile): Promise<number> {
  for (let span = BLOCK; ; span *= 16) {
    const from = Math.max(0, file.size - span);
    let highest = 0;
    for await (const entry of readLineLog(file.path, { from, to: file.size })) {
      const decoded = decodeEntry(entry, file.size);
      if (decoded !== null && 'generation' in decoded) highest = Math.max(highest, decoded.generation);
    }
    if (highest > 0 || from === 0) return highest;
  }
}

/** Behind the last LF that has something behind it. */
async function startOfLastLine({ path, size }: JournalFile): Promise<number> {
  let end = size - 1;
  while (end > 0) {
    const start = Math.max(0, end - BLOCK);
    const at = Buffer.from(await readAt(path, start, end - start)).lastIndexOf(LF);
    if (at !== -1) return start + at + 1;
    end = start;
  }
  return 0;
}

async function readAt(path: string, offset: number, length: number): Promise<Uint8Array> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
