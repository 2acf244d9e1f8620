/**
 * Reads a log of JSON lines that other programs write to, and that a kill or a power cut may have damaged. Takes no
 * lock. No line hides another: damage is told as a region, and reading goes on behind it.
 *
 * Memory is bounded by the cap of a line and one slice of the file, whatever its size; the end is where the file ended
 * when reading began.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { DurableError } from '../durable-error.ts';
import { errnoOf, ioError } from '../errno.ts';
import { READ_FLAGS } from '../read-bounded.ts';
import { createCutter, type Piece } from './cutter.ts';
import { entriesOf, type LogDamage, type LogEntry } from './entries.ts';
import { checkMaxLineBytes, DEFAULT_MAX_LINE_BYTES } from './limits.ts';

export interface ReadLineLogOptions {
  /** Where to begin, in bytes: 0, or behind an entry. */
  from?: number;
  /** Where to stop, in bytes; what begins before and does not end there is a tail. */
  to?: number;
  /** A longer line is damage: `tooLong`. Default 16 MiB, at most 256 MiB. */
  maxLineBytes?: number;
}

const SLICE = 256 * 1024;

/**
 * A missing file has no entries.
 *
 * @throws DurableError while iterating: `notAFile` (also for a symbolic link), `ioFailed`, `invalidArgument`
 * @since 0.1.0
 */
export async function* readLineLog(path: string, options: ReadLineLogOptions = {}): AsyncGenerator<LogEntry> {
  const { from = 0, to = Number.MAX_SAFE_INTEGER, maxLineBytes = DEFAULT_MAX_LINE_BYTES } = options;
  checkMaxLineBytes(maxLineBytes);
  checkRange(from, to);
  const handle = await openToRead(path);
  if (handle === null) return;
  try {
    yield* mergeDamage(pieces(handle, path, from, to, maxLineBytes));
  } finally {
    await handle.close();
  }
}

async function openToRead(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, READ_FLAGS);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT') return null;
    throw ioError('read', path, error, errno === 'ELOOP' || errno === 'ENXIO' ? 'notAFile' : 'ioFailed');
  }
}

async function* pieces(
  handle: FileHandle,
  path: string,
  from: number,
  to: number,
  cap: number,
): AsyncGenerator<Piece[]> {
  const stats = await handle.stat();
  if (!stats.isFile()) throw notAFile(path);
  const end = Math.min(stats.size, to);
  const cutter = createCutter(from, cap);
  for (let at = from; at < end; ) {
    const chunk = await readSlice(handle, path, at, Math.min(SLICE, end - at));
    if (chunk.length === 0) break;
    yield cutter.push(chunk);
    at += chunk.length;
  }
  yield cutter.finish();
}

/** A new buffer each time: entries keep views of it. */
async function readSlice(handle: FileHandle, path: string, at: number, length: number): Promise<Buffer> {
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafeSlow(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    throw ioError('read', path, error);
  }
}

/** Neighbouring damage is one region: a raw line break in a record, or a hole in it, spoils one record, not two. */
async function* mergeDamage(batches: AsyncIterable<Piece[]>): AsyncGenerator<LogEntry> {
  let region: LogDamage | null = null;
  for await (const batch of batches) {
    for (const entry of batch.flatMap(entriesOf)) {
      if (!('damaged' in entry)) {
        if (region !== null) yield region;
        region = null;
        yield entry;
      } else if (region !== null && isNeighbour(region, entry)) {
        region = joined(region, entry);
      } else {
        if (region !== null) yield region;
        region = entry;
      }
    }
  }
  if (region !== null) yield region;
}

function joined(before: LogDamage, after: LogDamage): LogDamage {
  return { ...before, length: after.offset + after.length - before.offset };
}

/** On one line, or two lines in a row that are both no JSON (the gap is LF or CR LF). */
function isNeighbour(before: LogDamage, after: LogDamage): boolean {
  const gap = after.offset - (before.offset + before.length);
  return gap === 0 || (gap <= 2 && before.damaged === 'json' && after.damaged === 'json');
}

function notAFile(path: string): DurableError {
  return new DurableError('notAFile', `${path} is no regular file, so it can't be read as a log.`, { path });
}

function checkRange(from: number, to: number): void {
  if (Number.isSafeInteger(from) && from >= 0 && Number.isSafeInteger(to) && to >= 0) return;
  throw new DurableError('invalidArgument', `A range is given in whole bytes, not from ${from} to ${to}.`);
}
