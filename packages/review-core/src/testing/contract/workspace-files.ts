import assert from 'node:assert/strict';
import { digest } from '../../digest.ts';
import type { LockedFile, LockOptions, Next, Workspace } from '../../ports/workspace.ts';
import type { EntryKind, FileState } from '../../record/v1.ts';
import { utf8 } from './runner.ts';
import type { WorkspaceSetup } from './workspace.ts';

export const OLD: Uint8Array = utf8('old\n');
export const NEW: Uint8Array = utf8('new, and longer\n');
export const FOREIGN: Uint8Array = utf8('foreign\n');

export async function lockOne(
  workspace: Workspace,
  path: string,
  options?: LockOptions,
): Promise<LockedFile> {
  const files = await workspace.lock([path], options);
  assert.ok(Array.isArray(files), `not locked: ${JSON.stringify(files)}`);
  assert.equal(files.length, 1);
  return files[0]!;
}

export async function next(
  bytes: Uint8Array,
  mode: number | null = null,
  at: EntryKind = 'file',
): Promise<Next> {
  return { at, bytes, digest: await digest(bytes), mode };
}

export async function state(bytes: Uint8Array, mode = 0o644, kind: EntryKind = 'file'): Promise<FileState> {
  return { digest: await digest(bytes), size: bytes.length, mode, kind };
}

/** What stands at `path`, as text; null where nothing does. */
export async function text(setup: WorkspaceSetup, path: string): Promise<string | null> {
  const entry = await setup.get(path);
  return entry === null ? null : new TextDecoder().decode(entry.bytes);
}

export async function assertText(
  setup: WorkspaceSetup,
  path: string,
  bytes: Uint8Array | null,
): Promise<void> {
  assert.equal(await text(setup, path), bytes === null ? null : new TextDecoder().decode(bytes));
}
