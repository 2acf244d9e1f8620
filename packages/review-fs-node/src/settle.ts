import type { FileIntent, FileState, Settlement } from '@backstitch/review-core';
import { type DirHandle, sameIdent } from './dir-handle.ts';
import { lookAt, type Sight, sameBytes, stateOf } from './look.ts';
import { removeEmptyDirs } from './parent-dirs.ts';
import type { Place } from './path-guard.ts';
import { putBack, VERIFY_CAP } from './publish.ts';
import type { System } from './system.ts';
import type { Parent } from './walk.ts';

/**
 * Recovery: brings one file that a crash left half way to one of its two ends, or touches nothing.
 *
 * It is called with the path lock held, after the process that made the intent is dead or has given up. It
 * decides by bytes alone, in this order (`next` is `to`, absent for the undo of a create):
 *
 * | target | displaced | does | result |
 * |---|---|---|---|
 * | same inode as displaced | | unlinks displaced, goes on by the target | |
 * | next | none, or from | unlinks displaced and temp | `done` |
 * | next | other bytes | puts displaced back | `prior`, `foreignWrite` |
 * | absent, next is not | any | gives displaced its name back | `prior` |
 * | from | none, or from | unlinks displaced and temp | `prior` |
 * | anything else | any | touches nothing | `attention` |
 *
 * It can be killed as well: each row leaves a state that the table settles again. The intent was read from disk
 * and is input: the caller has checked its names.
 */
export interface Recovery {
  system: System;
  place: Place;
  parent: Parent;
  intent: FileIntent;
}

type Row = 'done' | 'foreignWrite' | 'absent' | 'prior' | 'attention';

export async function settleFile(recovery: Recovery): Promise<Settlement> {
  const { system, place, intent } = recovery;
  const { dir, missing } = recovery.parent;
  if (missing.length > 0) return settleWithoutDir(recovery);
  const name = place.segments.at(-1)!;
  const look = (at: string) => lookAt(dir, at, VERIFY_CAP, place.path);
  const target = await look(name);
  let displaced = await look(intent.displaced);
  if (sameIdent(target.id, displaced.id)) {
    dir.unlink(intent.displaced);
    displaced = await look(intent.displaced);
  }
  const row = rowOf(target, displaced, intent);
  if (row === 'attention') return attention(intent, target, displaced);
  if (row === 'foreignWrite' || row === 'absent') {
    // Not given back where somebody took the name since we looked.
    if (!giveBack(recovery, target)) return attention(intent, await look(name), displaced);
  }
  unlinkIfThere(dir, intent.displaced);
  unlinkIfThere(dir, intent.temp);
  await dir.sync();
  const now = stateOf(await look(name));
  if (now === null) await removeEmptyDirs(system, place, intent.madeDirs);
  return settlement(intent, row, now);
}

/** Over what we published, where that stands there; else without overwriting anything. */
function giveBack({ system, place, parent: { dir }, intent }: Recovery, target: Sight): boolean {
  const name = place.segments.at(-1)!;
  if (target.id === null) return putBack(system, dir, intent.displaced, name);
  if (!sameIdent(dir.lstat(name), target.id)) return false;
  dir.rename(intent.displaced, name);
  return true;
}

function rowOf(target: Sight, displaced: Sight, { from, to }: FileIntent): Row {
  const displacedKnown = displaced.seen.at === 'absent' || isEnd(displaced, from, to);
  if (isEnd(target, to, from) && displacedKnown) return 'done';
  if (isEnd(target, to, from))
    return displaced.seen.at === 'unsupported' && to ? 'attention' : 'foreignWrite';
  if (target.seen.at === 'absent' && displaced.seen.at !== 'absent') return 'absent';
  return isEnd(target, from, to) && displacedKnown ? 'prior' : 'attention';
}

/** Whether a sight is `wanted`; the mode decides only where it is all that the two ends differ in. */
function isEnd(sight: Sight, wanted: FileState | null, other: FileState | null): boolean {
  if (wanted === null) return sight.seen.at === 'absent';
  const state = stateOf(sight);
  if (!sameBytes(state, wanted)) return false;
  const byMode = wanted.kind === 'file' && sameBytes(wanted, other) && wanted.mode !== other?.mode;
  return !byMode || state?.mode === wanted.mode;
}

/** The parents are gone, and with them whatever stood there. */
async function settleWithoutDir({ system, place, intent }: Recovery): Promise<Settlement> {
  const absent: Sight = { seen: { at: 'absent' }, id: null };
  const row = rowOf(absent, absent, intent);
  if (row === 'attention') return attention(intent, absent, absent);
  await removeEmptyDirs(system, place, intent.madeDirs);
  return settlement(intent, row, null);
}

/** A kill between our unlink and the record leaves them gone already. */
function unlinkIfThere(dir: DirHandle, name: string): void {
  const stats = dir.lstat(name);
  if (stats && !stats.isDirectory()) dir.unlink(name);
}

const ENDS: Record<Exclude<Row, 'attention'>, string> = {
  done: 'is what it was to become.',
  prior: 'is as it was.',
  absent: 'has the file back that was being replaced.',
  foreignWrite: 'was written by another program meanwhile; what it wrote was put back.',
};

function settlement(
  intent: FileIntent,
  row: Exclude<Row, 'attention'>,
  target: FileState | null,
): Settlement {
  return {
    result: row === 'done' ? 'done' : 'prior',
    reason: row === 'foreignWrite' ? row : null,
    message: `${JSON.stringify(intent.path)} ${ENDS[row]}`,
    target,
    displaced: null,
  };
}

function attention(intent: FileIntent, target: Sight, displaced: Sight): Settlement {
  const [at, aside] = [stateOf(target), stateOf(displaced)];
  const say = (sight: Sight, state: FileState | null) =>
    state
      ? `SHA-256 ${state.digest}`
      : sight.seen.at === 'unsupported'
        ? sight.seen.message
        : 'nothing there';
  const message =
    `${JSON.stringify(intent.path)} is neither what it was nor what it was to become, and was left alone. ` +
    `Under its name: ${say(target, at)}. Under ${intent.displaced}: ${say(displaced, aside)}. Keep the one you want.`;
  return { result: 'attention', reason: null, message, target: at, displaced: aside };
}
