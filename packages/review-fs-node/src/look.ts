import { sha256 } from '@backstitch/durable-node';
import type { FileState, Seen, UnsupportedKind } from '@backstitch/review-core';
import { type DirHandle, type Ident, sameIdent } from './dir-handle.ts';

/** What stood at a name, and which inode it was: a copy with the same bytes is another file. */
export interface Sight {
  seen: Seen;
  id: Ident | null;
}

export const ABSENT: Sight = { seen: { at: 'absent' }, id: null };

const WORDS: Record<UnsupportedKind, string> = {
  directory: 'is a directory. Name a file.',
  fifo: 'is a FIFO, which has no bytes of its own.',
  socket: 'is a socket, which has no bytes of its own.',
  device: 'is a device, which has no bytes of its own.',
  unreadable: 'can not be read. Look at its permissions and at the disk.',
  changing: 'kept changing while it was read. Try again when its writer is done.',
  unknown: 'is nothing that can be reviewed.',
};

export function unsupported(what: UnsupportedKind, shown: string, errno: string | null = null): Sight {
  const message = `${JSON.stringify(shown)} ${WORDS[what]}${errno ? ` (${errno})` : ''}`;
  return { seen: { at: 'unsupported', what, message }, id: null };
}

/**
 * Reads what stands at `name`: a file's bytes up to `cap` (above it the digest alone), a link's target. Never
 * follows, never blocks. `shown` is the path for messages.
 */
export async function lookAt(dir: DirHandle, name: string, cap: number, shown: string): Promise<Sight> {
  const read = await dir.read(name, cap);
  if (read.kind === 'missing') return ABSENT;
  if (read.kind === 'symlink') return lookAtLink(dir, name, shown);
  if (read.kind !== 'file') return unsupported(read.kind, shown, read.errno);
  const state: FileState = { digest: read.digest, size: read.size, mode: read.mode & 0o7777, kind: 'file' };
  return {
    seen: { at: 'file', state, bytes: read.bytes, links: read.nlink },
    id: { dev: read.dev, ino: read.ino },
  };
}

function lookAtLink(dir: DirHandle, name: string, shown: string): Sight {
  const before = dir.lstat(name);
  if (!before) return ABSENT;
  if (!before.isSymbolicLink()) return unsupported('changing', shown);
  const bytes = dir.readlink(name);
  const after = dir.lstat(name);
  if (!sameIdent(before, after) || before.ctimeNs !== after?.ctimeNs) return unsupported('changing', shown);
  const mode = Number(before.mode) & 0o7777;
  const state: FileState = { digest: sha256(bytes), size: bytes.length, mode, kind: 'symlink' };
  return { seen: { at: 'symlink', state, bytes, links: Number(before.nlink) }, id: before };
}

/** Null: nothing there, or nothing that has a state. */
export function stateOf(sight: Sight): FileState | null {
  return sight.seen.at === 'file' || sight.seen.at === 'symlink' ? sight.seen.state : null;
}

/** Kind, size and bytes; the mode is compared where it is what the change is about. */
export function sameBytes(a: FileState | null, b: FileState | null): boolean {
  if (a === null || b === null) return a === b;
  return a.kind === b.kind && a.size === b.size && a.digest === b.digest;
}
