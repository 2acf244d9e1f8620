import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sha256 } from '@backstitch/durable-node';
import type {
  FileIntent,
  FileState,
  LockedFile,
  Next,
  PublishResult,
  Seen,
  Workspace,
} from '@backstitch/review-core';
import { isBusy, isRefused } from '@backstitch/review-core';
import { afterEach } from 'vitest';
import { type NodeWorkspaceOptions, openWorkspaceOn } from './node-workspace.ts';
import { type Calls, detectSystem, type System } from './system.ts';

/** Real directories of one test: a root, and beside it the locks. */
export interface Sandbox {
  dir: string;
  root: string;
  lockDirectory: string;
  open(system?: Partial<System>, options?: Partial<NodeWorkspaceOptions>): Promise<Workspace>;
  put(name: string, content: string | Uint8Array, mode?: number): string;
  text(name: string): string | null;
  mode(name: string): number;
  /** All names below the root, sorted: whatever a write left behind is among them. */
  names(): string[];
}

const made: string[] = [];
afterEach(() => {
  for (const dir of made.splice(0)) fs.rmSync(dir, { recursive: true, force: true });
});

export function makeSandbox(parent: string = os.tmpdir()): Sandbox {
  const dir = fs.realpathSync.native(fs.mkdtempSync(path.join(parent, 'bks-')));
  made.push(dir);
  const [root, lockDirectory] = [path.join(dir, 'root'), path.join(dir, 'locks')];
  fs.mkdirSync(root);
  const at = (name: string) => path.join(root, name);
  return {
    dir,
    root,
    lockDirectory,
    open: (system = {}, options = {}) =>
      openWorkspaceOn({ ...detectSystem(), ...system }, { root, lockDirectory, ...options }),
    put(name, content, mode = 0o644) {
      fs.mkdirSync(path.dirname(at(name)), { recursive: true });
      fs.writeFileSync(at(name), content);
      fs.chmodSync(at(name), mode);
      return at(name);
    },
    text: (name) => (fs.existsSync(at(name)) ? fs.readFileSync(at(name), 'utf8') : null),
    mode: (name) => fs.statSync(at(name)).mode & 0o7777,
    names: () => namesBelow(root).sort(),
  };
}

/** Follows no link. */
function namesBelow(directory: string, prefix = ''): string[] {
  return fs.readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const name = prefix + entry.name;
    return entry.isDirectory() ? [name, ...namesBelow(path.join(directory, entry.name), `${name}/`)] : [name];
  });
}

/** The ways that every guarantee is tried in: by handles, the weaker way, and without hard links. */
export function systems(): [string, Partial<System>][] {
  const { calls } = detectSystem();
  return [
    ['as this machine is', {}],
    ['without a handle walk', { handleWalk: false, linksLinks: false }],
    ['without hard links', { calls: withoutHardLinks(calls) }],
  ];
}

export function withoutHardLinks(calls: Calls): Calls {
  return {
    ...calls,
    link: () => {
      throw Object.assign(new Error('EPERM: no hard links here'), { code: 'EPERM' });
    },
  };
}

export function fileOf(text: string | Uint8Array, mode: number | null = null): Next & { at: 'file' } {
  const bytes = Buffer.from(text);
  return { at: 'file', bytes, digest: sha256(bytes), mode };
}

export function linkTo(target: string): Next & { at: 'symlink' } {
  const bytes = Buffer.from(target);
  return { at: 'symlink', bytes, digest: sha256(bytes), mode: null };
}

export function stateFor(text: string, mode: number): FileState {
  return { digest: sha256(Buffer.from(text)), size: Buffer.byteLength(text), mode, kind: 'file' };
}

export async function lockOne(workspace: Workspace, name: string): Promise<LockedFile> {
  const locked = await workspace.lock([name]);
  if (isBusy(locked) || isRefused(locked)) throw new Error(`not locked: ${JSON.stringify(locked)}`);
  return locked[0]!;
}

/** Lock to release; answers what `publish` said. */
export async function writeAs(workspace: Workspace, name: string, next: Next): Promise<unknown> {
  const file = await lockOne(workspace, name);
  try {
    const staged = await file.stage(next);
    await staged.write();
    const result = await staged.publish();
    if (result.published === true) await staged.settle();
    else await staged.abort();
    return result;
  } finally {
    await file.release();
  }
}

export function textOf(seen: Seen): string {
  if (seen.at !== 'file' && seen.at !== 'symlink') throw new Error(`no bytes: ${JSON.stringify(seen)}`);
  return Buffer.from(seen.bytes!).toString();
}

type Hook = () => unknown;
interface Hooked {
  calls: Calls;
  /** Calls `hook` once, before or behind the next call of one of these kinds. */
  on(when: 'before' | 'after', names: (keyof Calls)[], hook: Hook): void;
}

/** Calls that let a foreign program act between two of them. */
export function hookable(calls: Calls): Hooked {
  const waiting: { when: string; names: (keyof Calls)[]; hook: Hook }[] = [];
  const reach = (when: string, name: keyof Calls) => {
    const at = waiting.findIndex((each) => each.when === when && each.names.includes(name));
    if (at >= 0) waiting.splice(at, 1)[0]!.hook();
  };
  const wrapped = Object.entries(calls).map(([name, call]) => [
    name,
    (...args: unknown[]) => {
      reach('before', name as keyof Calls);
      const result = (call as (...each: unknown[]) => unknown)(...args);
      reach('after', name as keyof Calls);
      return result;
    },
  ]);
  return {
    calls: Object.fromEntries(wrapped) as unknown as Calls,
    on: (when, names, hook) => void waiting.push({ when, names, hook }),
  };
}

/** Stages and writes, lets `act` happen, publishes. */
export async function publishAfter(
  workspace: Workspace,
  name: string,
  next: Next,
  act: () => void,
  out: { intent: FileIntent | null } = { intent: null },
): Promise<PublishResult> {
  const file = await lockOne(workspace, name);
  try {
    const staged = await file.stage(next);
    out.intent = staged.intent;
    await staged.write();
    act();
    const result = await staged.publish();
    if (result.published === true) await staged.settle();
    else await staged.abort();
    return result;
  } finally {
    await file.release();
  }
}
