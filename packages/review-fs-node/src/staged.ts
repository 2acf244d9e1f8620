import { setTimeout as delay } from 'node:timers/promises';
import { errnoOf } from '@backstitch/durable-node';
import type { FileIntent, Next, PublishResult, Refused, Staged } from '@backstitch/review-core';
import { ReviewError } from '@backstitch/review-core';
import { type DirHandle, type Ident, sameIdent } from './dir-handle.ts';
import { fileFailed } from './file-failure.ts';
import type { NodeLockedFile } from './locked-file.ts';
import { lookAt, type Sight, sameBytes, stateOf } from './look.ts';
import { makeParents, removeEmptyDirs } from './parent-dirs.ts';
import { type Conflict, conflict, type Published, publish, VERIFY_CAP } from './publish.ts';
import { type Parent, walkTo } from './walk.ts';
import { type NewEntry, writeNew } from './write-new.ts';

/**
 * One prepared write, in the steps of the port: `write` → `publish` → `settle`, or `abort`.
 *
 * The directory is opened by `write` and stays open to the end, so that what was put in it can be taken out of it
 * even when it was moved; `publish` walks again and refuses where the path leads elsewhere by then.
 *
 * Failure: a step that throws has taken its own working files away. What a kill leaves is named by `intent`.
 */
type Step = 'staged' | 'written' | 'published' | 'done';

/** Watchers throttle for 5 ms after they saw the displaced link, and a busy one is late: a change within that is not told. */
const TOUCH_AFTER_MS = 15;

export class StagedFile implements Staged {
  readonly intent: FileIntent;
  readonly #file: NodeLockedFile;
  readonly #sight: Sight;
  readonly #next: Next;
  readonly #name: string;
  readonly #madeDirs: string[] = [];
  #step: Step = 'staged';
  #dir: DirHandle | null = null;
  #entry: NewEntry | null = null;
  #tempId: Ident | null = null;
  /** What stands at the target since our publish. */
  #published: { id: Ident | null; at: number } | null = null;

  constructor(file: NodeLockedFile, sight: Sight, next: Next, intent: FileIntent) {
    this.#file = file;
    this.#sight = sight;
    this.#next = next;
    this.#name = file.place.segments.at(-1)!;
    this.intent = intent;
  }

  async write(): Promise<void> {
    this.#enter('staged', 'written');
    try {
      this.#file.checkLock();
      if (this.#next.at === 'absent') this.#openExisting();
      else await this.#writeTemp(this.#next);
    } catch (error) {
      // Disk full, no permission, lock lost: nothing of this attempt stays.
      throw await this.#failed(error, 'written');
    }
  }

  async publish(): Promise<PublishResult> {
    this.#enter('written', 'published');
    try {
      const result = await this.#publish();
      if (result.published === true) {
        this.#published = { id: result.id, at: performance.now() };
        return { published: true, state: this.intent.to };
      }
      if (result.published === false) await this.#clean();
      else await this.#removeTemp();
      return result;
    } catch (error) {
      // The system refused a link, a rename, a sync: the target is as it was, or recovery tells which end it is at.
      throw await this.#failed(error, 'replaced');
    }
  }

  async settle(): Promise<void> {
    this.#enter('published', 'done');
    const published = this.#published;
    if (!published) throw new TypeError('settle() is for what was published.');
    try {
      if (this.#dir) await this.#settleIn(this.#dir, published);
    } catch (error) {
      throw fileFailed(error, 'settled', this.#file.path);
    } finally {
      this.dispose();
    }
  }

  async abort(): Promise<void> {
    if (this.#published || this.#step === 'done') return;
    this.#step = 'done';
    try {
      await this.#clean();
    } catch (error) {
      throw fileFailed(error, 'cleaned up', this.#file.path);
    }
  }

  /** Lets go of the directory; changes nothing on disk. */
  dispose(): void {
    this.#step = 'done';
    this.#dir?.close();
    this.#dir = null;
  }

  #enter(from: Step, to: Step): void {
    if (this.#step !== from)
      throw new TypeError(`The step before "${to}" is "${from}", not "${this.#step}".`);
    this.#step = to;
  }

  #openExisting(): void {
    const parent = this.#walk();
    if (parent.missing.length === 0) this.#dir = parent.dir;
    else parent.dir.close();
  }

  async #writeTemp(content: Exclude<Next, { at: 'absent' }>): Promise<void> {
    const dir = await makeParents(this.#file.place, this.#walk(), this.#madeDirs);
    this.#dir = dir;
    await this.#file.lockInner({ dir, missing: [] });
    // A directory that can't be synced is told now, not after the publish.
    await dir.sync();
    const owner = dir.lstat(this.#name);
    this.#entry = { content, state: this.intent.to!, owner, shown: this.#file.path };
    this.#tempId = await writeNew(this.#file.ground.system, dir, this.intent.temp, this.#entry);
  }

  #walk(): Parent {
    const parent = walkTo(this.#file.ground.system, this.#file.place);
    if ('refused' in parent) throw new ReviewError('pathRefused', parent.message, { path: this.#file.path });
    return parent;
  }

  async #publish(): Promise<Published> {
    this.#file.checkLock();
    const { system } = this.#file.ground;
    const shown = this.#file.path;
    const parent = walkTo(system, this.#file.place);
    if ('refused' in parent) return this.#refused(parent);
    parent.dir.close();
    const dir = this.#dir;
    if (parent.missing.length > 0) {
      if (dir) return conflict({ shown }, 'deleted', 'its directory was removed meanwhile');
      return { published: true, id: null };
    }
    if (!dir || !sameIdent(parent.dir, dir)) {
      return conflict({ shown }, 'changedOnDisk', 'its directory was replaced meanwhile');
    }
    const { temp, displaced } = this.intent;
    const [sight, entry, tempId] = [this.#sight, this.#entry, this.#tempId];
    const gate = () => this.#gate(dir);
    return publish({ system, dir, name: this.#name, temp, displaced, shown, sight, entry, tempId, gate });
  }

  #gate(dir: DirHandle): Conflict | null {
    this.#file.checkLock();
    if (dir.inPlace()) return null;
    return conflict({ shown: this.#file.path }, 'changedOnDisk', 'its directory was moved meanwhile');
  }

  #refused({ refused, message }: Refused): Conflict {
    if (refused === 'rootMissing' || refused === 'rootChanged') {
      return { published: false, reason: 'rootChanged', message };
    }
    const replaced = refused === 'link' || refused === 'notADirectory';
    return { published: false, reason: replaced ? 'replacedKind' : 'changedOnDisk', message };
  }

  async #settleIn(dir: DirHandle, published: { id: Ident | null; at: number }): Promise<void> {
    await this.#removeDisplaced(dir);
    await this.#removeTemp();
    await dir.sync();
    if (this.#next.at === 'absent') {
      await removeEmptyDirs(this.#file.ground.system, this.#file.place, this.intent.madeDirs);
    } else if (this.#next.at === 'file') {
      await this.#touch(dir, published);
    }
  }

  /** Only where it still is what the caller has in its store: a program may hold it open, and write late. */
  async #removeDisplaced(dir: DirHandle): Promise<void> {
    const sight = await lookAt(dir, this.intent.displaced, VERIFY_CAP, this.#file.path);
    if (sight.seen.at === 'absent') return;
    if (!sameBytes(stateOf(sight), this.intent.from)) {
      const message = `Another program wrote to the old ${JSON.stringify(this.#file.path)} late. It stands beside it as ${this.intent.displaced}; recovery puts it back.`;
      throw new ReviewError('fileFailed', message, { path: this.#file.path });
    }
    dir.unlink(this.intent.displaced);
  }

  /**
   * Sets the file's own mtime again: it changes nothing but lets watchers see the change that they throttled
   * away. By its handle, and only while the file is ours.
   */
  async #touch(dir: DirHandle, { id, at }: { id: Ident | null; at: number }): Promise<void> {
    await delay(Math.max(0, TOUCH_AFTER_MS - (performance.now() - at)));
    const { calls } = this.#file.ground.system;
    try {
      const fd = dir.openFile(this.#name);
      try {
        const stats = calls.fstat(fd);
        if (sameIdent(stats, id)) calls.futimes(fd, Number(stats.atimeNs) / 1e9, Number(stats.mtimeNs) / 1e9);
      } finally {
        calls.close(fd);
      }
    } catch (error) {
      // Replaced or removed by somebody meanwhile, or not readable for us: then there is nothing to announce.
      if (errnoOf(error) === null) throw error;
    }
  }

  /** What to throw for `error`, with as much cleared away as the system lets us. */
  async #failed(error: unknown, what: string): Promise<unknown> {
    try {
      await this.#clean();
    } catch (second) {
      // A disk that refuses everything: what stays is named by the intent, and recovery clears it.
      if (errnoOf(second) === null) throw second;
    }
    return fileFailed(error, what, this.#file.path);
  }

  async #clean(): Promise<void> {
    const dir = this.#dir;
    try {
      if (dir) {
        await this.#removeTemp();
        const aside = dir.lstat(this.intent.displaced);
        // A second name of what still stands there; anything else holds bytes that stand nowhere else.
        if (aside && sameIdent(aside, dir.lstat(this.#name))) dir.unlink(this.intent.displaced);
      }
      await removeEmptyDirs(this.#file.ground.system, this.#file.place, this.#madeDirs);
    } catch (error) {
      // The weaker way lost a directory that was moved; when it is back, recovery clears it by the intent.
      if (errnoOf(error) !== 'ESTALE') throw error;
    } finally {
      this.dispose();
    }
  }

  async #removeTemp(): Promise<void> {
    const stats = this.#dir?.lstat(this.intent.temp);
    if (stats && sameIdent(stats, this.#tempId)) this.#dir!.unlink(this.intent.temp);
  }
}
