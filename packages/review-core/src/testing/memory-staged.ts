import { ReviewError } from '../errors.ts';
import type { FileIntent, Located, Next, PublishResult, Seen, Staged } from '../ports/workspace.ts';
import type { FileState } from '../record/v1.ts';
import type { MemorySteps } from './memory-steps.ts';
import type { MemoryNode, MemoryTree } from './memory-tree.ts';
import { parentOf, stateOf } from './memory-tree.ts';

export interface StagedParts {
  tree: MemoryTree;
  steps: MemorySteps;
  located: Located;
  seen: Seen;
  next: Next;
  intent: FileIntent;
}

type Unpublished = Extract<PublishResult, { published: false }>;

/** One prepared write, in the order of `ports/workspace.ts`. */
export class MemoryStaged implements Staged {
  readonly intent: FileIntent;
  readonly #parts: StagedParts;
  readonly #target: string;
  readonly #temp: string;
  readonly #displaced: string;
  #madeDirs: string[] = [];
  #published = false;

  constructor(parts: StagedParts) {
    this.#parts = parts;
    this.intent = parts.intent;
    this.#target = parts.located.absolutePath;
    const directory = parentOf(this.#target);
    this.#temp = `${directory}/${parts.intent.temp}`;
    this.#displaced = `${directory}/${parts.intent.displaced}`;
  }

  async write(): Promise<void> {
    const { next, tree } = this.#parts;
    if (next.at === 'absent') return;
    await this.#reach('makeDirs');
    for (const each of this.intent.madeDirs) {
      const path = `${this.#parts.located.root}/${each}`;
      if (tree.get(path) === undefined) this.#madeDirs.push(path);
      tree.mkdirs(path);
    }
    await this.#reach('write');
    const half = next.bytes.slice(0, next.bytes.length >> 1);
    tree.create(this.#temp, { kind: next.at, bytes: half, mode: this.intent.to!.mode });
    await this.#reach('midWrite');
    tree.get(this.#temp)!.bytes = new Uint8Array(next.bytes);
  }

  async publish(): Promise<PublishResult> {
    await this.#reach('publish');
    const refusal = await this.#compare();
    if (refusal !== null) return refusal;
    const { seen, next } = this.#parts;
    if (next.at === 'absent') return seen.at === 'absent' ? this.#done(null) : this.#remove();
    return seen.at === 'absent' ? this.#create() : this.#replace();
  }

  async settle(): Promise<void> {
    await this.#reach('settle');
    const { tree } = this.#parts;
    const displaced = await stateOf(tree.get(this.#displaced));
    if (displaced !== null && !sameContent(displaced, this.intent.from)) {
      const { path } = this.intent;
      throw new ReviewError(
        'fileFailed',
        `'${path}' was written late, into what was displaced; recovery puts it back`,
        {
          path,
        },
      );
    }
    if (displaced !== null) tree.unlink(this.#displaced);
    if (this.intent.to === null) removeEmpty(tree, this.intent);
  }

  async abort(): Promise<void> {
    await this.#reach('abort');
    if (this.#published) return;
    const { tree } = this.#parts;
    if (tree.get(this.#temp) !== undefined) tree.unlink(this.#temp);
    for (const path of this.#madeDirs.reverse()) rmdirIfEmpty(tree, path);
  }

  /** Null where the target is still what was seen. */
  async #compare(): Promise<Unpublished | null> {
    const { tree, located, seen } = this.#parts;
    if (tree.get(located.root)?.kind !== 'directory')
      return this.#refuse('rootChanged', 'the root is not there');
    const now = tree.get(this.#target);
    if (seen.at === 'absent') {
      if (now === undefined) return null;
      return this.#refuse(
        now.kind === 'file' ? 'changedOnDisk' : 'replacedKind',
        `a ${now.kind} stands there now`,
      );
    }
    if (now === undefined) return this.#refuse('deleted', 'it is gone');
    if (now.kind !== seen.at) return this.#refuse('replacedKind', `a ${now.kind} stands there now`);
    const same = sameContent(await stateOf(now), this.intent.from);
    return same ? null : this.#refuse('changedOnDisk', 'its bytes differ from those that were seen');
  }

  async #create(): Promise<PublishResult> {
    await this.#reach('beforeLink');
    const refusal = await this.#compare();
    if (refusal !== null) return refusal;
    this.#parts.tree.link(this.#temp, this.#target);
    await this.#reach('afterRename');
    this.#parts.tree.unlink(this.#temp);
    return this.#done(this.#parts.tree.get(this.#target));
  }

  async #replace(): Promise<PublishResult> {
    const { tree } = this.#parts;
    await this.#reach('beforeLink');
    const seen = tree.get(this.#target);
    if (seen === undefined) return this.#refuse('deleted', 'it is gone');
    tree.link(this.#target, this.#displaced);
    await this.#reach('beforeRename');
    if (tree.get(this.#target) !== seen) {
      tree.unlink(this.#displaced);
      return (
        (await this.#compare()) ??
        this.#refuse('changedOnDisk', 'another file of the same bytes took its place')
      );
    }
    const ours = tree.get(this.#temp)!;
    tree.rename(this.#temp, this.#target);
    await this.#reach('afterRename');
    return this.#verify(ours);
  }

  /** What was displaced must be what was seen: an edit in place may have come between. */
  async #verify(ours: MemoryNode): Promise<PublishResult> {
    const { tree } = this.#parts;
    if (sameContent(await stateOf(tree.get(this.#displaced)), this.intent.from)) return this.#done(ours);
    if (tree.get(this.#target) !== ours) return this.#attention();
    tree.rename(this.#displaced, this.#target);
    return this.#refuse('foreignWrite', 'it was written meanwhile, and was put back');
  }

  async #remove(): Promise<PublishResult> {
    const { tree } = this.#parts;
    await this.#reach('beforeLink');
    if (tree.get(this.#target) === undefined) return this.#refuse('deleted', 'it is gone');
    tree.rename(this.#target, this.#displaced);
    await this.#reach('afterRename');
    if (sameContent(await stateOf(tree.get(this.#displaced)), this.intent.from)) return this.#done(null);
    if (tree.get(this.#target) !== undefined) return this.#attention();
    tree.rename(this.#displaced, this.#target);
    return this.#refuse('foreignWrite', 'it was written meanwhile, and was put back');
  }

  async #done(node: MemoryNode | undefined | null): Promise<PublishResult> {
    this.#published = true;
    return { published: true, state: await stateOf(node ?? undefined) };
  }

  #attention(): PublishResult {
    this.#published = true;
    const names = [this.#parts.located.path, this.intent.displaced];
    const message = `${this.#parts.located.path} was written while it was replaced: compare it with ${this.intent.displaced}`;
    return { published: 'attention', message, names };
  }

  #refuse(reason: Unpublished['reason'], what: string): Unpublished {
    const message = `${this.#parts.located.path} was left alone: ${what}. Look at it and try again`;
    return { published: false, reason, message };
  }

  #reach(step: Parameters<MemorySteps['reach']>[0]): Promise<void> {
    return this.#parts.steps.reach(step, this.#parts.located.path);
  }
}

export function sameContent(a: FileState | null, b: FileState | null): boolean {
  if (a === null || b === null) return a === b;
  return a.kind === b.kind && a.size === b.size && a.digest === b.digest;
}

/** Removes the directories that a change made, innermost first, as far as they are empty. */
export function removeEmpty(tree: MemoryTree, intent: FileIntent): void {
  for (const each of [...intent.madeDirs].reverse()) rmdirIfEmpty(tree, `${intent.root}/${each}`);
}

function rmdirIfEmpty(tree: MemoryTree, path: string): void {
  try {
    tree.rmdir(path);
  } catch (error) {
    // Somebody put a file there, or removed it: it is theirs.
    const { code } = error as { code?: string };
    if (code !== 'ENOTEMPTY' && code !== 'ENOENT') throw error;
  }
}
