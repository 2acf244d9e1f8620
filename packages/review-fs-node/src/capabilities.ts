import fs from 'node:fs';
import path from 'node:path';
import type { LockProvider } from '@backstitch/durable-node';
import { errnoOf } from '@backstitch/durable-node';
import type { Capabilities, Capability } from '@backstitch/review-core';
import { sameIdent } from './dir-handle.ts';
import { flipCase } from './path-guard.ts';
import type { System } from './system.ts';

/** What can be promised on this machine, looked up once at opening. Nothing is written into the root for it. */
export interface Probed {
  capabilities: Capabilities;
  foldsCase: boolean;
}

const FULL: Capability = { level: 'full' };
/** `statfs` types of file systems that have neither hard links nor modes: FAT and exFAT. */
const FAT_TYPES = [0x4d44, 0x2011bab0];
/** Names that are looked at to tell whether the root folds case. */
const PROBED_NAMES = 64;

export async function probe(system: System, root: string, locks: LockProvider): Promise<Probed> {
  const folds = foldsCase(root);
  const capabilities: Capabilities = {
    handleWalk: handleWalk(system),
    dirFsync: await dirFsync(system, root),
    hardLinks: hardLinks(system, root),
    ownerProof: locks.capabilities.ownerProof,
    modes: modes(system, root),
    caseSensitive: caseSensitive(folds),
  };
  return { capabilities, foldsCase: folds ?? true };
}

function handleWalk(system: System): Capability {
  if (system.handleWalk) return FULL;
  const why =
    'Directories can not be walked by handles here. Links are refused and identities compared before and after each ' +
    'step, but a parent that is swapped for a link within microseconds may redirect a write.';
  return { level: 'weaker', why };
}

async function dirFsync(system: System, root: string): Promise<Capability> {
  const none = (why: string): Capability => ({ level: 'none', why });
  if (system.rules === 'win32')
    return none('Windows syncs no directories: after a power cut a rename may be undone.');
  const fd = fs.openSync(root, fs.constants.O_RDONLY);
  try {
    await system.calls.fsync(fd);
    return FULL;
  } catch (error) {
    if (errnoOf(error) !== 'EINVAL' && errnoOf(error) !== 'ENOTSUP') throw error;
    return none(
      `This file system syncs no directories (${errnoOf(error)}): after a power cut a rename may be undone.`,
    );
  } finally {
    fs.closeSync(fd);
  }
}

function hardLinks(system: System, root: string): Capability {
  const how =
    'A file is then taken away, verified, and the new one renamed to its place: for a moment nothing stands there, and ' +
    'a kill in that moment needs recovery.';
  if (isFat(root)) return { level: 'none', why: `This file system has no hard links. ${how}` };
  if (system.linksLinks) return FULL;
  return {
    level: 'weaker',
    why: `Symbolic links can have no second name here, other files where it works. ${how}`,
  };
}

function modes(system: System, root: string): Capability {
  if (system.rules === 'win32') return { level: 'weaker', why: 'Windows keeps the read-only bit alone.' };
  return isFat(root) ? { level: 'none', why: 'This file system keeps no modes.' } : FULL;
}

function isFat(root: string): boolean {
  return FAT_TYPES.includes(fs.statfsSync(root).type);
}

function caseSensitive(folds: boolean | null): Capability {
  if (folds === false) return FULL;
  if (folds) return { level: 'none', why: 'Names that differ in case alone are one file here.' };
  return {
    level: 'weaker',
    why: 'Not known: the root has no name to tell it by. Names that differ in case share a lock.',
  };
}

/** By a name that exists, spelled in the other case. Null where there is none to tell it by. */
function foldsCase(root: string): boolean | null {
  for (const name of [...someNames(root), path.basename(root)]) {
    const isRoot = name === path.basename(root);
    const folds = nameFolds(isRoot ? path.dirname(root) : root, name);
    if (folds !== null) return folds;
  }
  return null;
}

function nameFolds(directory: string, name: string): boolean | null {
  const flipped = flipCase(name);
  const stat = (each: string) =>
    fs.lstatSync(path.join(directory, each), { bigint: true, throwIfNoEntry: false });
  const here = flipped === name ? undefined : stat(name);
  return here ? sameIdent(here, stat(flipped)) : null;
}

function someNames(root: string): string[] {
  const names: string[] = [];
  const opened = fs.opendirSync(root);
  try {
    for (let entry = opened.readSync(); entry && names.length < PROBED_NAMES; entry = opened.readSync()) {
      names.push(entry.name);
    }
    return names;
  } finally {
    opened.closeSync();
  }
}
