import type { OwnerRecord } from './owner.ts';
import type { LockCapabilities, LockCapability } from './types.ts';

export function lockCapabilities(owner: OwnerRecord, hardLinks: boolean): LockCapabilities {
  return { hardLinks: hardLinkCapability(hardLinks), ownerProof: ownerProof(owner) };
}

function hardLinkCapability(available: boolean): LockCapability {
  if (available) return { level: 'full' };
  return {
    level: 'weaker',
    why:
      'This file system has no hard links, so a lock file is written after it is made: a process killed between ' +
      'the two leaves a lock that nobody can prove to be free. Break it by hand.',
  };
}

function ownerProof(owner: OwnerRecord): LockCapability {
  const machineKnown = owner.hostId !== null || owner.bootId !== null;
  if (!machineKnown || owner.pidNamespace === null) {
    return {
      level: 'none',
      why: 'This machine can not be told from another one: a lock of a killed process stays until it is broken.',
    };
  }
  const missing: string[] = [];
  if (owner.start === null) missing.push('a dead holder whose pid is in use again counts as alive');
  if (owner.bootId === null) missing.push('a restart of the machine proves nothing');
  if (owner.hostId === null)
    missing.push('a restart of the machine proves nothing, since it has no machine id');
  return missing.length === 0 ? { level: 'full' } : { level: 'weaker', why: `Here ${missing.join('; ')}.` };
}
