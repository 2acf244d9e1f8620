import { ReviewError } from '../errors.ts';
import type { FileIntent, Located, LockedFile, Next, Seen, Staged } from '../ports/workspace.ts';
import type { FileState, Scope } from '../record/v1.ts';
import type { MemoryTicket } from './memory-lock.ts';
import { MemoryStaged } from './memory-staged.ts';
import type { MemorySteps } from './memory-steps.ts';
import type { MemoryTree } from './memory-tree.ts';
import { look } from './memory-tree.ts';

const DEFAULT_MODE = 0o644;

/** A path under its lock, in memory. */
export class MemoryLockedFile implements LockedFile {
  readonly root: string;
  readonly path: string;
  readonly scope: Scope;
  readonly absolutePath: string;
  readonly names: { temp: string; displaced: string };
  readonly missingDirs: string[];
  readonly #tree: MemoryTree;
  readonly #steps: MemorySteps;
  readonly #ticket: MemoryTicket;
  readonly #cap: number;
  #seen: Seen = { at: 'absent' };

  private constructor(
    tree: MemoryTree,
    steps: MemorySteps,
    located: Located,
    ticket: MemoryTicket,
    cap: number,
  ) {
    this.#tree = tree;
    this.#steps = steps;
    this.#ticket = ticket;
    this.#cap = cap;
    this.root = located.root;
    this.path = located.path;
    this.scope = located.scope;
    this.absolutePath = located.absolutePath;
    const nonce = crypto.randomUUID().replaceAll('-', '');
    this.names = { temp: `.bs-${nonce}-t~`, displaced: `.bs-${nonce}-d~` };
    this.missingDirs = missingParents(tree, located);
  }

  static async open(
    tree: MemoryTree,
    steps: MemorySteps,
    located: Located,
    ticket: MemoryTicket,
    cap: number,
  ): Promise<LockedFile> {
    const file = new MemoryLockedFile(tree, steps, located, ticket, cap);
    await file.look();
    return file;
  }

  get seen(): Seen {
    return this.#seen;
  }

  async look(): Promise<Seen> {
    await this.#steps.reach('look', this.path);
    this.#seen = await look(this.#tree, this.absolutePath, this.#cap);
    return this.#seen;
  }

  async stage(next: Next): Promise<Staged> {
    const seen = this.#seen;
    if (!this.#ticket.holds()) {
      throw new ReviewError('lockLost', `${this.path} is no longer locked: lock it again`, {
        path: this.path,
      });
    }
    if (seen.at === 'unsupported') {
      throw new ReviewError('unsupportedKind', `${this.path} is a ${seen.what}: it can't be written`, {
        path: this.path,
      });
    }
    const from = seen.at === 'absent' ? null : seen.state;
    const intent: FileIntent = {
      root: this.root,
      path: this.path,
      from,
      to: stateOfNext(next, from),
      ...this.names,
      madeDirs: next.at === 'absent' ? [...(next.madeDirs ?? [])] : [...this.missingDirs],
    };
    return new MemoryStaged({ tree: this.#tree, steps: this.#steps, located: this, seen, next, intent });
  }

  async release(): Promise<void> {
    this.#ticket.release();
  }
}

function stateOfNext(next: Next, from: FileState | null): FileState | null {
  if (next.at === 'absent') return null;
  const mode = next.at === 'symlink' ? 0o777 : (next.mode ?? from?.mode ?? DEFAULT_MODE);
  return { digest: next.digest, size: next.bytes.length, mode, kind: next.at };
}

/** Parents that are not there, relative to the root, outermost first. */
function missingParents(tree: MemoryTree, { root, path }: Located): string[] {
  const segments = path.split('/').slice(0, -1);
  return segments
    .map((_, index) => segments.slice(0, index + 1).join('/'))
    .filter((parent) => tree.get(`${root}/${parent}`) === undefined);
}
