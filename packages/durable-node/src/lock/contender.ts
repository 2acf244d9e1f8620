import { setTimeout } from 'node:timers/promises';
import { readBounded } from '../read-bounded.ts';
import { look, ownPath, stampOf } from './generations.ts';
import { takeGeneration } from './held-lock.ts';
import type { Machine } from './machine.ts';
import { type OwnerRecord, readOwner } from './owner.ts';
import { isProvedDead } from './owner-death.ts';
import type { RecordFile } from './record-file.ts';

const LONGEST_PAUSE_MS = 16;
/** The host's own proof may be slow; a waiting contender asks for it this often. */
const ASK_HOST_EVERY_MS = 250;
/** A record has some 400 bytes. */
const RECORD_CAP = 4096;

export interface Contender {
  owner: OwnerRecord;
  machine: Machine;
  record: RecordFile;
  /** The machine's proof, and the host's own. */
  isOwnerDead(owner: OwnerRecord): Promise<boolean>;
}

/** Tries until the generation is taken or the time is up (null). The caller holds the in-process mutex. */
export async function contend(
  self: Contender,
  directory: string,
  deadline: number,
  above: number,
): Promise<number | null> {
  let askHostAt = 0;
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const askHost = performance.now() >= askHostAt;
    if (askHost) askHostAt = performance.now() + ASK_HOST_EVERY_MS;
    const { top } = look(directory);
    if (top.released || (await isLeft(self, directory, top.generation, askHost))) {
      const generation = takeGeneration(self.record, directory, top.generation, above);
      if (generation !== null) return generation;
    }
    const left = deadline - performance.now();
    if (left <= 0) return null;
    await setTimeout(Math.min(left, Math.random() * pause));
  }
}

/** Whether an unreleased generation has no living owner. */
async function isLeft(
  self: Contender,
  directory: string,
  generation: number,
  askHost: boolean,
): Promise<boolean> {
  const path = ownPath(directory, generation);
  const read = await readBounded(path, { cap: RECORD_CAP });
  if (read.kind !== 'file') return false;
  const owner = read.bytes === null ? null : readOwner(read.bytes);
  if (owner === null) return isFromBeforeBoot(self.machine, path);
  // This provider holds the mutex and no lock of this key: its own record is one whose release was refused.
  if (owner.nonce === self.owner.nonce) return true;
  return askHost ? self.isOwnerDead(owner) : isProvedDead(owner, self.machine);
}

/** Lock files are not synced, so a power cut may leave an empty one; while its maker lives it is whole. */
function isFromBeforeBoot(machine: Machine, path: string): boolean {
  const stamp = stampOf(path);
  return stamp !== null && machine.bootedAt !== null && stamp < machine.bootedAt;
}

/** For people: who holds it, as far as its record can be read. */
export async function readHolder(directory: string, generation: number): Promise<OwnerRecord | null> {
  const read = await readBounded(ownPath(directory, generation), { cap: RECORD_CAP });
  return read.kind === 'file' && read.bytes !== null ? readOwner(read.bytes) : null;
}
