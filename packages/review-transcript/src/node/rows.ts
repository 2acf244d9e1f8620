import { readLineLog } from '@backstitch/durable-node';
import type { FoldedLine, Row } from '../fold.ts';
import { classifyLine, type HostLine } from '../lines.ts';
import { toWellFormedValue } from '../well-formed.ts';
import { onFile } from './failures.ts';
import { hash } from './hash.ts';

/**
 * Reads lines back through the layout. A row only says where a line stood: what is read there is compared with
 * it before anybody acts on it.
 */

/** The line of a row, or null where the file no longer holds that line there. Touches that one line. */
export async function readRow(path: string, row: Row): Promise<HostLine | null> {
  const lines = await readRows(path, [row]);
  return lines === null ? null : lines[0]!.line;
}

/** The lines of ascending rows; null where one of them is no longer what its row says. */
export async function readRows(path: string, rows: readonly Row[]): Promise<FoldedLine[] | null> {
  const first = rows[0];
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return [];
  const found: FoldedLine[] = [];
  await onFile(path, async () => {
    for await (const entry of readLineLog(path, { from: first.offset, to: last.offset + last.length })) {
      const row = rows[found.length];
      if (row === undefined || entry.offset > row.offset) break;
      if (entry.offset < row.offset || !('value' in entry)) continue;
      const value = toWellFormedValue(entry.value, entry.raw);
      if (!isLineOf(row, value, entry.raw)) break;
      found.push({ row, line: value as HostLine });
    }
  });
  return found.length === rows.length ? found : null;
}

function isLineOf(row: Row, value: unknown, raw: Uint8Array): boolean {
  const line = classifyLine(value, raw, hash);
  return line.kind === 'item' && line.type === row.type && line.id === row.id;
}
