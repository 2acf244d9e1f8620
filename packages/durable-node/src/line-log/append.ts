import { type BigIntStats, fstatSync, lstatSync, readSync } from 'node:fs';
import { DurableError } from '../durable-error.ts';
import { ioError } from '../errno.ts';
import { writeAll } from '../write-all.ts';

/** Where a line lies, in bytes, without its LF. */
export interface LineSpan {
  offset: number;
  length: number;
}

const LF = 0x0a;
const LINE_END: Uint8Array = Uint8Array.of(LF);

export function encodeLines(lines: readonly string[], path: string, maxLineBytes: number): Uint8Array[] {
  return lines.map((line) => {
    if (line === '' || /[\n\r\0]/.test(line)) {
      throw new DurableError('invalidArgument', `A line for ${path} is empty or holds a line break or NUL.`, {
        path,
      });
    }
    const bytes = Buffer.from(line);
    if (bytes.length > maxLineBytes) {
      const message = `A line of ${bytes.length} bytes for ${path} is over the limit of ${maxLineBytes}.`;
      throw new DurableError('tooLong', message, { path });
    }
    return bytes;
  });
}

/** By one write, behind whatever the file holds. Nothing else of this process can come between: it is synchronous. */
export function appendLines(fd: number, path: string, lines: readonly Uint8Array[]): LineSpan[] {
  try {
    const before = fstatSync(fd, { bigint: true });
    checkStillNamed(before, path);
    const size = Number(before.size);
    const heal = endsInFragment(fd, size) ? [LINE_END] : [];
    const buffer = Buffer.concat([...heal, ...lines.flatMap((line) => [line, LINE_END])]);
    writeAll(fd, buffer);
    let offset = placeOf(fd, path, buffer, size) + heal.length;
    return lines.map((line) => {
      const span = { offset, length: line.length };
      offset += line.length + 1;
      return span;
    });
  } catch (error) {
    throw DurableError.isInstance(error) && error.path !== null ? error : ioError('append to', path, error);
  }
}

/** What is appended to a file that lost its name would be lost with it, and acknowledged. */
function checkStillNamed(open: BigIntStats, path: string): void {
  const named = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (named !== undefined && named.ino === open.ino && named.dev === open.dev) return;
  throw new DurableError('replaced', `${path} was replaced or removed while it was open: open it again.`, {
    path,
  });
}

function endsInFragment(fd: number, size: number): boolean {
  if (size === 0) return false;
  const last = new Uint8Array(1);
  return readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== LF;
}

/** At the old end, unless a program that takes no lock appended meanwhile: then look where the write landed. */
function placeOf(fd: number, path: string, written: Buffer, oldSize: number): number {
  const newSize = fstatSync(fd).size;
  if (newSize === oldSize + written.length) return oldSize;
  const added = Buffer.alloc(Math.max(0, newSize - oldSize));
  const read = readSync(fd, added, 0, added.length, oldSize);
  const found = added.subarray(0, read).indexOf(written);
  if (found !== -1) return oldSize + found;
  throw new DurableError(
    'ioFailed',
    `${path} changed while a line was appended to it, and does not hold the line.`,
    {
      path,
      errno: 'EIO',
    },
  );
}
