/**
 * A lock between processes, made of numbered generations in a directory.
 *
 * Protocol. To acquire: look at the directory; where the top generation n is released, or its owner is proved dead,
 * link the own record to n+1 (`link` is the compare-and-swap: one contender wins); look again, and withdraw where a
 * higher one exists, since a slow contender may have taken a number that was pruned long ago. To release: link `n.rel`
 * and prune what lies deep below. Inside one provider an async mutex comes first.
 *
 * Failure. A holder that dies leaves its generation; the next contender proves the death and goes on. A holder that
 * is stopped, or can't be told, holds. No clock decides, nothing is renewed, nothing throws from a timer. A lock that
 * somebody broke is told by `holds()`, which the holder asks before each append and each publish.
 *
 * Assumed: `link` is atomic and refuses an existing name; one small directory is read in one piece. Nothing is
 * synced: a lock need not outlive the power. The full story is docs/design/lock-protocol.md.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { DurableError } from '../durable-error.ts';
import { lockCapabilities } from './capabilities.ts';
import { type Contender, contend, readHolder } from './contender.ts';
import { LAST_GENERATION, look, releasePath } from './generations.ts';
import { createHeldLock } from './held-lock.ts';
import { describeMachine, type Machine, ownStart } from './machine.ts';
import { createKeyedMutex } from './mutex.ts';
import { type OwnerRecord, parseOwner } from './owner.ts';
import { isProvedDead } from './owner-death.ts';
import { createRecordFile } from './record-file.ts';
import type { BreakLockOptions, LockBusy, LockProvider, LockProviderOptions } from './types.ts';

const DEFAULT_TIMEOUT_MS = 5000;

/** @since 0.1.0 */
export function createLockProvider(options: LockProviderOptions): LockProvider {
  const self = createContender(options);
  const mutex = createKeyedMutex();
  return {
    owner: self.owner,
    get capabilities() {
      return lockCapabilities(self.owner, self.record.hardLinks);
    },
    async isOwnerDead(candidate) {
      const owner = parseOwner(candidate);
      return owner !== null && (await self.isOwnerDead(owner));
    },
    async acquire(key, { timeoutMs = DEFAULT_TIMEOUT_MS, above = 0 } = {}) {
      const directory = lockDirectory(options.directory, key);
      checkNumbers(timeoutMs, above);
      const deadline = performance.now() + timeoutMs;
      const free = await mutex.take(key, timeoutMs);
      if (free === null) return busy(directory);
      try {
        const generation = await contend(self, directory, deadline, above);
        if (generation !== null) return createHeldLock(self.record, directory, key, generation, free);
      } catch (error) {
        // The directory refuses, or the host's own proof threw: nothing is held.
        free();
        throw error;
      }
      free();
      return busy(directory);
    },
    async breakLock(key, breaking) {
      return breakGeneration(options.directory, lockDirectory(options.directory, key), self.owner, breaking);
    },
    close: () => self.record.remove(),
  };
}

function createContender(options: LockProviderOptions): Contender {
  const machine = describeMachine();
  const owner = ownRecord(machine, options.app ?? null);
  return {
    owner,
    machine,
    record: createRecordFile(options.directory, owner.nonce, owner),
    isOwnerDead: async (other) =>
      (await isProvedDead(other, machine)) || (await options.isOwnerDead?.(other)) === true,
  };
}

function ownRecord(machine: Machine, app: string | null): OwnerRecord {
  const { hostId, bootId, pidNamespace, timeNamespace } = machine;
  const start = ownStart();
  const nonce = randomUUID();
  return {
    v: 1,
    pid: process.pid,
    thread: threadId,
    start,
    bootId,
    pidNamespace,
    timeNamespace,
    hostId,
    nonce,
    app,
  };
}

async function busy(directory: string): Promise<LockBusy> {
  const { top } = look(directory);
  return { busy: true, holder: await readHolder(directory, top.generation), generation: top.generation };
}

function breakGeneration(
  root: string,
  directory: string,
  owner: OwnerRecord,
  breaking: BreakLockOptions,
): boolean {
  const { generation, reason } = breaking;
  if (reason.length === 0 || reason.length > 1000) throw badArgument('A reason has 1 to 1,000 characters.');
  const { top } = look(directory);
  if (top.released || top.generation !== generation) return false;
  const note = createRecordFile(root, randomUUID(), { v: 1, brokenBy: owner, reason });
  try {
    const linked = note.linkTo(releasePath(directory, generation)) === 'linked';
    return linked && look(directory).top.generation === generation;
  } finally {
    note.remove();
  }
}

function lockDirectory(directory: string, key: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(key)) {
    throw badArgument(
      `A lock key has 1 to 200 letters, digits, ".", "_" and "-", not ${JSON.stringify(key)}.`,
    );
  }
  return join(directory, key);
}

function checkNumbers(timeoutMs: number, above: number): void {
  if (!(timeoutMs >= 0 && timeoutMs < 2 ** 31))
    throw badArgument(`timeoutMs must be from 0 to 2^31, not ${timeoutMs}.`);
  if (!Number.isSafeInteger(above) || above < 0 || above >= LAST_GENERATION) {
    throw badArgument(`above must be a generation, not ${above}.`);
  }
}

function badArgument(message: string): DurableError {
  return new DurableError('invalidArgument', message);
}
