import { readLineLog } from '@backstitch/durable-node';
import { type FoldedLine, foldEntry, type Layout } from '../fold.ts';
import { onFile } from './failures.ts';
import { readBytes } from './file.ts';
import { hash } from './hash.ts';

/** How far a scan got. */
export interface Scanned {
  /** Everything before it is folded. */
  resume: number;
  /** The bytes behind the last LF, where they are no complete line yet. */
  tail: { offset: number; length: number } | null;
  /** The last bytes before `resume`: when they differ later, the file is not the one that was folded. */
  mark: Uint8Array;
}

export const NOTHING_SCANNED: Scanned = { resume: 0, tail: null, mark: new Uint8Array() };

/** Folds the lines between two offsets; the first one is the beginning of a line. Bounded memory. */
export async function scanInto(
  layout: Layout,
  path: string,
  range: { from: number; to: number },
  onLine?: (line: FoldedLine) => void,
): Promise<Scanned> {
  return onFile(path, async () => {
    let tail: Scanned['tail'] = null;
    for await (const entry of readLineLog(path, range)) {
      if ('tail' in entry) {
        tail = { offset: entry.offset, length: entry.length };
        break;
      }
      const line = foldEntry(layout, entry, hash);
      if (line !== null) onLine?.(line);
    }
    const resume = tail?.offset ?? range.to;
    return { resume, tail, mark: markBefore(path, resume) };
  });
}

const MARK_BYTES = 256;

function markBefore(path: string, offset: number): Uint8Array {
  return readBytes(path, Math.max(0, offset - MARK_BYTES), offset);
}

/** The mark behind lines that this process wrote itself. */
export function markOf(bytes: Uint8Array): Uint8Array {
  return bytes.slice(-MARK_BYTES);
}

/** Whether the bytes that were folded last still stand where they stood. */
export function markHolds(path: string, { mark, resume }: Scanned): boolean {
  return Buffer.compare(readBytes(path, resume - mark.length, resume), mark) === 0;
}
