import type { ChangeState } from '@backstitch/review-core';
import {
  classifyLine,
  type Hash,
  type HostLine,
  isOwnerType,
  type LineDamage,
  type TranscriptItem,
} from './lines.ts';
import { toWellFormedValue } from './well-formed.ts';

/**
 * The fold of a transcript: where its lines lie, who owns what, and the latest state of each snapshot. It holds
 * no bodies, so its memory is bounded by the number of lines.
 *
 * Entries are folded in byte order, and byte order is the only order there is: the last state line for a pair
 * of message and snapshot wins, whatever clocks said.
 *
 * @since 0.1.0
 */

/** Why a region holds no line: its bytes (`utf8`, `json`, `tooLong`, `nul`), or the line they make. */
export type DamageReason = 'utf8' | 'json' | 'tooLong' | 'nul' | 'tail' | LineDamage;

export interface DamagedRegion {
  offset: number;
  length: number;
  reason: DamageReason;
}

/** One record or one damaged region, as cut from the bytes. */
export type LineEntry =
  | { offset: number; length: number; value: unknown; raw: Uint8Array }
  | { offset: number; length: number; damaged: DamageReason };

/** A good line that is no state line. */
export interface Row {
  ordinal: number;
  offset: number;
  length: number;
  type: string;
  id: string | null;
}

export interface Layout {
  rows: Row[];
  /** By message id: its tool line, else its message line; the later one of two equals. */
  owners: Map<string, Row>;
  /** Message id → snapshot id → latest state. */
  states: Map<string, Map<string, ChangeState>>;
  damaged: DamagedRegion[];
}

export function createLayout(): Layout {
  return { rows: [], owners: new Map(), states: new Map(), damaged: [] };
}

/** A row with its line, for readers that want the body too. */
export interface FoldedLine {
  row: Row;
  line: HostLine;
}

/** Folds one entry; answers the line where it is one of the host's. */
export function foldEntry(layout: Layout, entry: LineEntry, hash: Hash): FoldedLine | null {
  if ('damaged' in entry) {
    foldDamage(layout, { offset: entry.offset, length: entry.length, reason: entry.damaged });
    return null;
  }
  const value = toWellFormedValue(entry.value, entry.raw);
  const found = classifyLine(value, entry.raw, hash);
  if (found.kind === 'damaged') {
    foldDamage(layout, { offset: entry.offset, length: entry.length, reason: found.reason });
    return null;
  }
  if (found.kind === 'state') {
    foldState(layout, found);
    return null;
  }
  const row: Row = {
    ordinal: layout.rows.length,
    offset: entry.offset,
    length: entry.length,
    type: found.type,
    id: found.id,
  };
  foldRow(layout, row);
  return { row, line: value as HostLine };
}

/** Lines in a row that are no JSON are one region: a record with a raw line break in it is two bad lines. */
function foldDamage(layout: Layout, region: DamagedRegion): void {
  const last = layout.damaged.at(-1);
  const isJson = region.reason === 'json' && last?.reason === 'json';
  if (isJson && region.offset - (last.offset + last.length) <= CR_LF) {
    last.length = region.offset + region.length - last.offset;
  } else {
    layout.damaged.push(region);
  }
}

const CR_LF = 2;

function foldRow(layout: Layout, row: Row): void {
  layout.rows.push(row);
  if (row.id === null || !isOwnerType(row.type)) return;
  const other = layout.owners.get(row.id);
  if (other?.type === 'tool' && row.type !== 'tool') return;
  layout.owners.set(row.id, row);
}

function foldState(
  layout: Layout,
  line: { messageId: string; snapshotId: string; state: ChangeState },
): void {
  let states = layout.states.get(line.messageId);
  if (states === undefined) {
    states = new Map();
    layout.states.set(line.messageId, states);
  }
  states.set(line.snapshotId, line.state);
}

/** The latest state that the transcript holds for a snapshot; null where it has no line for it. */
export function latestState(layout: Layout, messageId: string, snapshotId: string): ChangeState | null {
  return layout.states.get(messageId)?.get(snapshotId) ?? null;
}

/** A line with its place and the states of its id laid over it. The line itself is not changed. */
export function overlay(layout: Layout, { row, line }: FoldedLine): TranscriptItem {
  const states = row.id === null ? undefined : layout.states.get(row.id);
  const { ordinal, offset, length } = row;
  return { ...line, review: { ordinal, offset, length, states: toRecord(states) } };
}

/** As an object without a prototype: `__proto__` is an id like any other. */
export function toRecord<T>(entries: Iterable<[string, T]> | undefined): Record<string, T> {
  const record: Record<string, T> = Object.create(null);
  for (const [key, value] of entries ?? []) record[key] = value;
  return record;
}
