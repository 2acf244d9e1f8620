import { type Machine, processState } from './machine.ts';
import type { OwnerRecord } from './owner.ts';

/**
 * Whether it is proved that the owner's process is dead: the same machine, and either another start of its kernel, or
 * the same pid space and no such process, another process under that pid, or a zombie. Anything that can't be told
 * proves nothing: a stopped process, a suspended machine, another container, another host are alive.
 *
 * No clock is asked and no age: a lock does not grow old.
 */
export async function isProvedDead(owner: OwnerRecord, machine: Machine): Promise<boolean> {
  if (!sameMachine(owner, machine)) return false;
  if (differ(owner.bootId, machine.bootId)) return true;
  if (!same(owner.pidNamespace, machine.pidNamespace)) return false;
  const state = await processState(owner.pid);
  if (state === 'gone' || state === 'zombie') return true;
  return state !== 'unknown' && startsElsewhere(owner, machine, state.start);
}

/** One start of one kernel is one machine; that helps where an image has no machine id, as in small containers. */
function sameMachine(owner: OwnerRecord, machine: Machine): boolean {
  if (owner.hostId !== null && machine.hostId !== null) return owner.hostId === machine.hostId;
  return same(owner.bootId, machine.bootId);
}

function startsElsewhere(owner: OwnerRecord, machine: Machine, start: string): boolean {
  return owner.timeNamespace === machine.timeNamespace && differ(owner.start, start);
}

function same(a: string | null, b: string | null): boolean {
  return a !== null && a === b;
}

function differ(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a !== b;
}
