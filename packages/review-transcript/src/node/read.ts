import { ReviewError } from '@backstitch/review-core';
import { type DamagedRegion, type FoldedLine, type Layout, overlay } from '../fold.ts';
import { isText, type TranscriptItem } from '../lines.ts';
import { selectWindow, type WindowRequest } from '../window.ts';
import { lineDamaged, storeFailed } from './failures.ts';
import { hash } from './hash.ts';
import type { LiveLayout } from './live-layout.ts';
import { readRow, readRows } from './rows.ts';
import type { TranscriptWindow } from './types.ts';
import type { Writer } from './writer.ts';

/** A changed line is looked for once more in a layout that was read afresh. */
const ATTEMPTS = 2;

export function withStates(layout: Layout, lines: readonly FoldedLine[]): TranscriptItem[] {
  return lines.map((line) => overlay(layout, line));
}

export async function readWindow(live: LiveLayout, request: WindowRequest): Promise<TranscriptWindow> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const layout = await live.refresh();
    const { rows, ...cursors } = selectWindow(layout.rows, tagOf(live), request);
    const lines = await readRows(live.path, rows);
    if (lines !== null) return { items: withStates(layout, lines), ...cursors };
    live.distrust();
  }
  const message = `The transcript ${live.path} changes in place while it is read: try again.`;
  throw storeFailed(message, live.path, null);
}

/** Names the file that cursors are of. A new file under the same path is another one. */
function tagOf({ stamp }: LiveLayout): string {
  return stamp === null ? 'none' : hash(`${stamp.dev}:${stamp.ino}`).slice(0, 12);
}

export async function findOwner(live: LiveLayout, messageId: string): Promise<TranscriptItem | null> {
  if (!isText(messageId)) throw new ReviewError('invalidArgument', 'A line is found by its `id`, a string.');
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const layout = await live.refresh();
    const row = layout.owners.get(messageId);
    if (row === undefined) {
      if (live.isLost(messageId)) break;
      return null;
    }
    const line = await readRow(live.path, row);
    if (line !== null) return overlay(layout, { row, line });
    live.distrust();
  }
  throw lineDamaged(live.path, messageId);
}

/**
 * A tail without LF that is seen without the lock may be a line in the making. Under the lock nobody is
 * writing, and it is damage.
 */
export async function readHealth(live: LiveLayout, writer: Writer): Promise<{ damaged: DamagedRegion[] }> {
  const layout = await live.refresh();
  const tail = live.tail === null ? null : await tornTail(live, writer);
  const damaged = layout.damaged.map((region) => ({ ...region }));
  return { damaged: tail === null ? damaged : [...damaged, tail] };
}

async function tornTail(live: LiveLayout, writer: Writer): Promise<DamagedRegion | null> {
  try {
    return await writer.write<DamagedRegion | null>(() => ({
      drafts: [],
      sync: false,
      answer: () => (live.tail === null ? null : { ...live.tail, reason: 'tail' }),
    }));
  } catch (error) {
    // Somebody is writing, or locks can't be made in this directory: it can't be told, so it is "not yet".
    if (ReviewError.isInstance(error) && (error.code === 'busy' || isReadOnly(error.errno))) return null;
    throw error;
  }
}

function isReadOnly(errno: string | null): boolean {
  return errno === 'EACCES' || errno === 'EROFS' || errno === 'EPERM';
}
