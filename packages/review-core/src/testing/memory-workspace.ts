/**
 * The workspace port in memory, for tests: a file tree with locks and the steps of a guarded write, and room
 * for a test between any two of them, to write as a foreign program does, to fail a call, or to kill the process.
 *
 * @since 0.1.0
 */
import type { Busy, Capabilities } from '../ports/capabilities.ts';
import type {
  FileIntent,
  Located,
  LockedFile,
  LockOptions,
  Refused,
  Seen,
  Settlement,
  Workspace,
} from '../ports/workspace.ts';
import { isRefused } from '../ports/workspace.ts';
import type { MemoryTicket } from './memory-lock.ts';
import { MemoryLock } from './memory-lock.ts';
import { MemoryLockedFile } from './memory-locked-file.ts';
import type { MemoryRoot } from './memory-paths.ts';
import { isName, locateIn } from './memory-paths.ts';
import type { MemoryProcess } from './memory-process.ts';
import { createMemoryProcess, holderOf } from './memory-process.ts';
import { settleFile } from './memory-settle.ts';
import type { MemoryStep, StepHook } from './memory-steps.ts';
import { MemorySteps } from './memory-steps.ts';
import type { NodeKind } from './memory-tree.ts';
import { directory, look, MemoryTree, parentOf } from './memory-tree.ts';

const DEFAULT_CAP = 16 * 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 5000;

export interface MemoryWorkspaceOptions {
  /** Absolute. Default `/workspace`. */
  root?: string;
  /** Content by path relative to the root; text is UTF-8. */
  files?: Record<string, string | Uint8Array>;
  scratchRoots?: readonly string[];
  externalRoots?: readonly string[];
  /** The process that this handle belongs to; a new one by default. */
  process?: MemoryProcess;
}

export interface PutOptions {
  mode?: number;
  /** Keeps the inode, as a program does that writes in place; by default a new one takes the name. */
  inPlace?: boolean;
}

/** Paths are relative to the root, or absolute. What these verbs do, no guard sees: they are foreign programs. */
export interface MemoryWorkspace extends Workspace {
  readonly process: MemoryProcess;
  /** Another process's handle on the same tree. */
  peer(options?: { process?: MemoryProcess }): MemoryWorkspace;
  put(path: string, content: string | Uint8Array, options?: PutOptions): void;
  putLink(path: string, target: string): void;
  /** A directory, a FIFO, …: what can't be reviewed. */
  putSpecial(path: string, kind: Exclude<NodeKind, 'file' | 'symlink'>): void;
  hardLink(path: string, to: string): void;
  rename(path: string, to: string): void;
  chmod(path: string, mode: number): void;
  /** The file or directory, with all below it. */
  remove(path: string): void;
  get(path: string): { kind: NodeKind; bytes: Uint8Array; mode: number } | null;
  text(path: string): string | null;
  /** Absolute paths of all that is no directory, sorted: whatever a write left behind is among them. */
  list(): string[];
  /** Somebody else has the path until the answered function is called. */
  hold(path: string): () => void;
  onStep(step: MemoryStep, hook: StepHook): () => void;
  /** Fails the `nth` time (from 1) that the step is reached, once. */
  failAt(step: MemoryStep, errno: string, nth?: number): void;
  /** Kills the process of this handle the `nth` time (from 1) that the step is reached. */
  crashAt(step: MemoryStep, nth?: number): void;
}

interface World {
  tree: MemoryTree;
  locks: Map<string, MemoryLock>;
  roots: readonly MemoryRoot[];
}

/** @since 0.1.0 */
export function createMemoryWorkspace(options: MemoryWorkspaceOptions = {}): MemoryWorkspace {
  const roots: MemoryRoot[] = [
    { root: options.root ?? '/workspace', scope: 'workspace' },
    ...(options.scratchRoots ?? []).map((root) => ({ root, scope: 'scratch' as const })),
    ...(options.externalRoots ?? []).map((root) => ({ root, scope: 'external' as const })),
  ];
  const tree = new MemoryTree();
  for (const { root } of roots) tree.mkdirs(root);
  const workspace = new WorkspaceHandle(
    { tree, locks: new Map(), roots },
    options.process ?? createMemoryProcess(),
  );
  for (const [path, content] of Object.entries(options.files ?? {})) workspace.put(path, content);
  return workspace;
}

class WorkspaceHandle implements MemoryWorkspace {
  readonly capabilities: Capabilities = {
    handleWalk: { level: 'full' },
    dirFsync: { level: 'full' },
    hardLinks: { level: 'full' },
    ownerProof: { level: 'full' },
    modes: { level: 'full' },
    caseSensitive: { level: 'full' },
  };
  readonly process: MemoryProcess;
  readonly #world: World;
  readonly #tree: MemoryTree;
  readonly #steps: MemorySteps;

  constructor(world: World, process: MemoryProcess) {
    this.#world = world;
    this.#tree = world.tree;
    this.process = process;
    this.#steps = new MemorySteps(process);
  }

  get root(): string {
    return this.#world.roots[0]!.root;
  }

  get roots(): readonly MemoryRoot[] {
    return this.#world.roots;
  }

  async locate(path: string): Promise<Located | Refused> {
    this.process.check();
    return locateIn(this.#tree, this.roots, path);
  }

  async read(path: string, cap: number = DEFAULT_CAP): Promise<Seen | Refused> {
    const located = await this.locate(path);
    return isRefused(located) ? located : look(this.#tree, located.absolutePath, cap);
  }

  async lock(paths: readonly string[], options: LockOptions = {}): Promise<LockedFile[] | Busy | Refused> {
    const located: Located[] = [];
    for (const path of paths) {
      const each = await this.locate(path);
      if (isRefused(each)) return each;
      located.push(each);
    }
    const tickets = await this.#take(located, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    if ('busy' in tickets) return tickets;
    const files: LockedFile[] = [];
    try {
      for (const each of located) {
        const ticket = tickets.get(each.absolutePath)!;
        files.push(
          await MemoryLockedFile.open(this.#tree, this.#steps, each, ticket, options.cap ?? DEFAULT_CAP),
        );
      }
    } catch (error) {
      // A path that can't be read: all or none, so the others are let go.
      for (const ticket of tickets.values()) ticket.release();
      throw error;
    }
    return files;
  }

  async settle(intent: FileIntent): Promise<Settlement | Busy | Refused> {
    const located = await this.locate(`${intent.root}/${intent.path}`);
    if (isRefused(located)) return located;
    if (![intent.temp, intent.displaced].every(isName)) {
      const message = `the record names ${intent.temp} and ${intent.displaced}, which are no names in a directory`;
      return { refused: 'invalidName', path: intent.path, message };
    }
    const tickets = await this.#take([located], DEFAULT_TIMEOUT_MS);
    if ('busy' in tickets) return tickets;
    try {
      return await settleFile(this.#tree, located.absolutePath, intent);
    } finally {
      tickets.get(located.absolutePath)!.release();
    }
  }

  async #take(located: readonly Located[], timeoutMs: number): Promise<Map<string, MemoryTicket> | Busy> {
    const tickets = new Map<string, MemoryTicket>();
    for (const { absolutePath, path } of [...located].sort((a, b) =>
      a.absolutePath < b.absolutePath ? -1 : 1,
    )) {
      if (tickets.has(absolutePath)) continue;
      const lock = this.#lockOf(absolutePath);
      const ticket = await lock.acquire(this.process, timeoutMs);
      if (ticket === null) {
        for (const each of tickets.values()) each.release();
        const { holder } = lock;
        const by = holder === null ? null : holderOf(holder.process.owner, holder.generation);
        return { busy: true, what: 'path', path, holder: by };
      }
      tickets.set(absolutePath, ticket);
    }
    return tickets;
  }

  #lockOf(absolutePath: string): MemoryLock {
    const lock = this.#world.locks.get(absolutePath) ?? new MemoryLock();
    this.#world.locks.set(absolutePath, lock);
    return lock;
  }

  #absolute(path: string): string {
    return path.startsWith('/') ? path : `${this.root}/${path}`;
  }

  peer(options: { process?: MemoryProcess } = {}): MemoryWorkspace {
    return new WorkspaceHandle(this.#world, options.process ?? createMemoryProcess());
  }

  put(path: string, content: string | Uint8Array, options: PutOptions = {}): void {
    const absolute = this.#absolute(path);
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
    const old = this.#tree.get(absolute);
    const mode = options.mode ?? old?.mode ?? 0o644;
    if (options.inPlace === true && old?.kind === 'file') Object.assign(old, { bytes, mode });
    else this.#place(absolute, { kind: 'file', bytes, mode });
  }

  putLink(path: string, target: string): void {
    this.#place(this.#absolute(path), {
      kind: 'symlink',
      bytes: new TextEncoder().encode(target),
      mode: 0o777,
    });
  }

  putSpecial(path: string, kind: Exclude<NodeKind, 'file' | 'symlink'>): void {
    this.#place(this.#absolute(path), { ...directory(), kind });
  }

  hardLink(path: string, to: string): void {
    this.#tree.link(this.#absolute(path), this.#absolute(to));
  }

  rename(path: string, to: string): void {
    this.#tree.rename(this.#absolute(path), this.#absolute(to));
  }

  chmod(path: string, mode: number): void {
    this.#tree.get(this.#absolute(path))!.mode = mode;
  }

  remove(path: string): void {
    this.#tree.remove(this.#absolute(path));
  }

  get(path: string): { kind: NodeKind; bytes: Uint8Array; mode: number } | null {
    const node = this.#tree.get(this.#absolute(path));
    return node === undefined ? null : { ...node, bytes: new Uint8Array(node.bytes) };
  }

  text(path: string): string | null {
    const node = this.get(path);
    return node === null ? null : new TextDecoder().decode(node.bytes);
  }

  list(): string[] {
    return this.#tree
      .paths()
      .filter((path) => this.#tree.get(path)!.kind !== 'directory')
      .sort();
  }

  hold(path: string): () => void {
    const ticket = this.#lockOf(this.#absolute(path)).pin(createMemoryProcess({ app: 'holder' }));
    if (ticket === null) throw new Error(`the path is held already: ${path}`);
    return () => ticket.release();
  }

  onStep(step: MemoryStep, hook: StepHook): () => void {
    return this.#steps.on(step, hook);
  }

  failAt(step: MemoryStep, errno: string, nth: number = 1): void {
    this.#steps.failAt(step, errno, nth);
  }

  crashAt(step: MemoryStep, nth: number = 1): void {
    this.#steps.crashAt(step, nth);
  }

  #place(absolute: string, node: { kind: NodeKind; bytes: Uint8Array; mode: number }): void {
    this.#tree.mkdirs(parentOf(absolute));
    this.#tree.remove(absolute);
    this.#tree.create(absolute, node);
  }
}
