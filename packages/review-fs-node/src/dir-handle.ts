import fs, { type BigIntStats } from 'node:fs';
import path from 'node:path';
import type { BoundedRead } from '@backstitch/durable-node';
import { errnoOf } from '@backstitch/durable-node';
import type { Calls, System } from './system.ts';

/**
 * An open directory, and the operations on the names in it.
 *
 * Purpose: what is checked is what is changed. On Linux every operation goes through `/proc/self/fd/N/name`, so
 * that a parent that is swapped for a link meanwhile can't redirect it. Elsewhere there is no such way: the
 * directory's identity is compared before and after each operation, which narrows the window and does not close
 * it; a workspace says so in its capabilities.
 *
 * Sequence: `openRoot`, then `openDir` name by name, the operations, `close`.
 *
 * Failure: system errors are thrown as they come. A handle that was closed throws, it never reaches the
 * directory whose descriptor has the same number now.
 *
 * Assumptions: no path string leaves this class, since a string outlives its handle. Each name is one component;
 * the kernel walks `..` without a word, so names are checked here as well as in the path guard.
 */
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NONBLOCK } = fs.constants;
const O_DIRECTORY = fs.constants.O_DIRECTORY ?? 0;
const O_NOFOLLOW = fs.constants.O_NOFOLLOW ?? 0;
/** Linux: a handle to walk through a directory that may not be read. Node has no name for it. */
const O_PATH = 0o10000000;

export interface Ident {
  dev: bigint;
  ino: bigint;
}

export function sameIdent(a: Ident | null | undefined, b: Ident | null | undefined): boolean {
  return !!a && !!b && a.dev === b.dev && a.ino === b.ino;
}

export type NotOpened = 'missing' | 'link' | 'notADirectory';

export class DirHandle implements Ident {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly #system: System;
  readonly #path: string;
  /** Where the kernel said that the directory lies, when it was opened. */
  readonly #place: string;
  #fd: number | null;
  #open = true;
  #running = 0;

  private constructor(system: System, given: string, fd: number | null, ident: Ident) {
    this.#system = system;
    this.#path = given;
    this.#fd = fd;
    this.dev = ident.dev;
    this.ino = ident.ino;
    this.#place = fd === null ? given : this.#placeNow();
  }

  /** Opens the directory of an absolute path; a link at its last component is not followed. */
  static openRoot(system: System, absolutePath: string): DirHandle | NotOpened {
    return DirHandle.#openAt(system, absolutePath, absolutePath);
  }

  openDir(name: string): DirHandle | NotOpened {
    const at = this.#at(name);
    const child = DirHandle.#openAt(this.#system, at, path.join(this.#path, name));
    this.#checkIdent();
    return child;
  }

  static #openAt(system: System, at: string, absolutePath: string): DirHandle | NotOpened {
    if (!system.handleWalk) {
      const stats = system.calls.lstat(at);
      if (!stats?.isDirectory()) return reasonOf(stats);
      return new DirHandle(system, absolutePath, null, stats);
    }
    try {
      const fd = openDirectory(system.calls, at);
      return new DirHandle(system, absolutePath, fd, system.calls.fstat(fd));
    } catch (error) {
      // A link as a component answers ENOTDIR, as a file does; ELOOP on some systems.
      if (!['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')) throw error;
      return reasonOf(system.calls.lstat(at));
    }
  }

  /** The names of directories between a root handle and this one, as the kernel says now; null: not below it. */
  depthBelow(root: DirHandle): number | null {
    if (this.#place === root.#place) return 0;
    const prefix = root.#place.endsWith(path.sep) ? root.#place : root.#place + path.sep;
    return this.#place.startsWith(prefix) ? this.#place.slice(prefix.length).split(path.sep).length : null;
  }

  /** False where the directory was moved, removed or replaced since it was opened. */
  inPlace(): boolean {
    if (this.#fd !== null) return this.#placeNow() === this.#place;
    return sameIdent(this.#system.calls.lstat(this.#path), this);
  }

  lstat(name: string): BigIntStats | null {
    return this.#do(name, (calls, at) => calls.lstat(at) ?? null);
  }

  readlink(name: string): Uint8Array {
    return this.#do(name, (calls, at) => calls.readlink(at));
  }

  link(existing: string, name: string): void {
    const from = this.#at(existing);
    this.#do(name, (calls, at) => calls.link(from, at));
  }

  rename(from: string, to: string): void {
    const source = this.#at(from);
    this.#do(to, (calls, at) => calls.rename(source, at));
  }

  unlink(name: string): void {
    this.#do(name, (calls, at) => calls.unlink(at));
  }

  symlink(target: Uint8Array, name: string): void {
    this.#do(name, (calls, at) => calls.symlink(target, at));
  }

  mkdir(name: string): void {
    this.#do(name, (calls, at) => calls.mkdir(at));
  }

  rmdir(name: string): void {
    this.#do(name, (calls, at) => calls.rmdir(at));
  }

  /** A new file, private until its mode is set; EEXIST where anything stands there. The caller closes it. */
  createFile(name: string): number {
    return this.#do(name, (calls, at) => calls.open(at, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
  }

  /** The caller closes it. */
  openFile(name: string): number {
    return this.#do(name, (calls, at) => calls.open(at, O_RDONLY | O_NOFOLLOW | (O_NONBLOCK ?? 0)));
  }

  async read(name: string, cap: number): Promise<BoundedRead> {
    const at = this.#at(name);
    this.#running += 1;
    try {
      return await this.#system.calls.read(at, cap);
    } finally {
      this.#ended();
    }
  }

  /** Makes the names in this directory durable. Windows has no such call; the capabilities say so. */
  async sync(): Promise<void> {
    if (this.#system.rules === 'win32') return;
    const { calls } = this.#system;
    const fd = calls.open(this.#base(), O_RDONLY | O_DIRECTORY);
    this.#running += 1;
    try {
      await calls.fsync(fd);
    } finally {
      calls.close(fd);
      this.#ended();
    }
  }

  /** Lawful at any time; the descriptor goes when the last operation on it has ended. */
  close(): void {
    this.#open = false;
    if (this.#running > 0 || this.#fd === null) return;
    this.#system.calls.close(this.#fd);
    this.#fd = null;
  }

  #ended(): void {
    this.#running -= 1;
    if (!this.#open) this.close();
  }

  #do<T>(name: string, operation: (calls: Calls, at: string) => T): T {
    const result = operation(this.#system.calls, this.#at(name));
    this.#checkIdent();
    return result;
  }

  #at(name: string): string {
    if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) {
      throw new TypeError(`Not a name in a directory: ${JSON.stringify(name)}`);
    }
    this.#checkIdent();
    return `${this.#base()}${path.sep}${name}`;
  }

  #base(): string {
    if (!this.#open) throw new TypeError(`The handle of ${this.#path} is closed.`);
    return this.#fd === null ? this.#path : `/proc/self/fd/${this.#fd}`;
  }

  /** The weaker way's look before and after; the handle way needs none. */
  #checkIdent(): void {
    if (this.#fd !== null || !this.#open || this.inPlace()) return;
    throw Object.assign(new Error(`${this.#path} was replaced while it was in use.`), { code: 'ESTALE' });
  }

  #placeNow(): string {
    return Buffer.from(this.#system.calls.readlink(`/proc/self/fd/${this.#fd}`)).toString('latin1');
  }
}

function openDirectory(calls: Calls, at: string): number {
  try {
    return calls.open(at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    // Searchable but not readable (mode 0711, another's home): good to walk through.
    if (errnoOf(error) !== 'EACCES') throw error;
    return calls.open(at, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  }
}

function reasonOf(stats: BigIntStats | undefined): NotOpened {
  if (!stats) return 'missing';
  return stats.isSymbolicLink() ? 'link' : 'notADirectory';
}
