import { digest } from '../digest.ts';
import type { Seen, UnsupportedKind } from '../ports/workspace.ts';
import type { FileState } from '../record/v1.ts';

export type NodeKind = 'file' | 'symlink' | 'directory' | 'fifo' | 'socket' | 'device';

/** An inode: two names of the same node are hard links. */
export interface MemoryNode {
  kind: NodeKind;
  /** Raw bytes; of a link: its target. */
  bytes: Uint8Array;
  mode: number;
}

/**
 * A file tree by absolute path, as processes of one machine share it. Its verbs are those of a file system
 * and throw an error with a `code` as Node's do; they know nothing of locks or guards.
 */
export class MemoryTree {
  readonly #nodes: Map<string, MemoryNode> = new Map();

  get(path: string): MemoryNode | undefined {
    return this.#nodes.get(path);
  }

  paths(): string[] {
    return [...this.#nodes.keys()];
  }

  links(node: MemoryNode): number {
    return [...this.#nodes.values()].filter((each) => each === node).length;
  }

  /** As `open` with `wx` does: fails where something stands. */
  create(path: string, node: MemoryNode): void {
    this.#needParent(path);
    if (this.#nodes.has(path)) throw failure('EEXIST', path);
    this.#nodes.set(path, node);
  }

  link(from: string, to: string): void {
    const node = this.#need(from);
    if (node.kind === 'directory') throw failure('EPERM', from);
    this.create(to, node);
  }

  rename(from: string, to: string): void {
    const node = this.#need(from);
    if (this.#nodes.get(to)?.kind === 'directory') throw failure('EISDIR', to);
    this.#needParent(to);
    this.#nodes.set(to, node);
    if (from !== to) this.#nodes.delete(from);
  }

  unlink(path: string): void {
    if (this.#need(path).kind === 'directory') throw failure('EISDIR', path);
    this.#nodes.delete(path);
  }

  rmdir(path: string): void {
    if (this.#need(path).kind !== 'directory') throw failure('ENOTDIR', path);
    if (this.paths().some((each) => each.startsWith(`${path}/`))) throw failure('ENOTEMPTY', path);
    this.#nodes.delete(path);
  }

  /** As `rm -rf` does, for what tests do to a tree. */
  remove(path: string): void {
    for (const each of this.paths())
      if (each === path || each.startsWith(`${path}/`)) this.#nodes.delete(each);
  }

  /** Makes `path` and its missing parents; does nothing where it is a directory. */
  mkdirs(path: string): void {
    if (this.#nodes.get(path)?.kind === 'directory') return;
    if (path !== '') this.mkdirs(parentOf(path));
    if (this.#nodes.has(path)) throw failure('ENOTDIR', path);
    this.#nodes.set(path, directory());
  }

  #need(path: string): MemoryNode {
    const node = this.#nodes.get(path);
    if (node === undefined) throw failure('ENOENT', path);
    return node;
  }

  #needParent(path: string): void {
    if (this.#need(parentOf(path)).kind !== 'directory') throw failure('ENOTDIR', path);
  }
}

export function directory(): MemoryNode {
  return { kind: 'directory', bytes: new Uint8Array(), mode: 0o755 };
}

/** The path without its last segment; the root of everything is `''`. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

export function failure(code: string, path: string): Error & { code: string } {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

export async function stateOf(node: MemoryNode | undefined): Promise<FileState | null> {
  if (node === undefined || (node.kind !== 'file' && node.kind !== 'symlink')) return null;
  return { digest: await digest(node.bytes), size: node.bytes.length, mode: node.mode, kind: node.kind };
}

export async function look(tree: MemoryTree, path: string, cap: number): Promise<Seen> {
  const node = tree.get(path);
  if (node === undefined) return { at: 'absent' };
  const { bytes } = node;
  const state = await stateOf({ ...node });
  if (state === null) {
    const what = node.kind as UnsupportedKind;
    return { at: 'unsupported', what, message: `${path} is a ${what}: only files and links can be reviewed` };
  }
  const kept = state.size > cap ? null : new Uint8Array(bytes);
  return { at: state.kind, state, bytes: kept, links: tree.links(node) };
}
