import { basename, dirname, join } from 'node:path';
import {
  createLockProvider,
  type LineLog,
  type Lock,
  type LockBusy,
  type LockProvider,
  openLineLog,
} from '@backstitch/durable-node';
import { ReviewError } from '@backstitch/review-core';
import type { Layout } from '../fold.ts';
import { onFile, storeFailed } from './failures.ts';
import type { FileStamp } from './file.ts';
import { hash } from './hash.ts';
import type { LiveLayout, OwnLine } from './live-layout.ts';
import { Queue } from './queue.ts';

/**
 * The one way in which this package writes to a transcript.
 *
 * Calling sequence of an append: the turn of this process, the lock of the file, the layout brought up to date,
 * the caller's decision, one write of whole lines, the lock released, the sync. The sync covers every line
 * before it in the file, so callers share one, and nobody is answered before the lines are on disk.
 *
 * Where it fails: before the write nothing has changed. A write that was cut short (a full disk, a kill) leaves
 * a tail without LF; the next append ends it with one, and it stays as one damaged region. Old bytes are never
 * touched.
 */

export const MAX_LINE_BYTES: number = 16 * 1024 * 1024;

/** The companion directory: stable, the package's own, and never the host's file. */
export const LOCK_DIRECTORY = '.backstitch-locks';

/** A line to append, and what of it is folded into the layout. */
export interface Draft {
  text: string;
  value: Record<string, unknown>;
}

export interface Place {
  offset: number;
  length: number;
}

/** What to append, decided while the lock is held. */
export interface Decision<T> {
  drafts: readonly Draft[];
  /** Whether the answer rests on bytes of the file: then they are on disk before it is given. */
  sync: boolean;
  answer: (places: Place[], layout: Layout) => T;
}

interface OpenLog {
  log: LineLog;
  dev: bigint;
  ino: bigint;
}

export class Writer {
  readonly #live: LiveLayout;
  readonly #locks: LockProvider;
  readonly #key: string;
  readonly #queue = new Queue();
  #open: OpenLog | null = null;
  #syncs: Promise<unknown> = Promise.resolve();

  constructor(live: LiveLayout) {
    this.#live = live;
    this.#locks = createLockProvider({ directory: join(dirname(live.path), LOCK_DIRECTORY) });
    this.#key = hash(basename(live.path));
  }

  /** Decides and appends under the lock; resolves when what the answer rests on is on disk. */
  write<T>(decide: (layout: Layout) => Decision<T> | Promise<Decision<T>>): Promise<T> {
    return onFile(this.#live.path, async () => {
      const { answer, synced } = await this.#queue.run(() =>
        this.#locked((lock) => this.#turn(lock, decide)),
      );
      await synced;
      return answer;
    });
  }

  /** Waits for what was begun. */
  async close(): Promise<void> {
    await this.#queue.idle();
    await onFile(this.#live.path, () => this.#closeLog());
    this.#locks.close();
  }

  async #locked<T>(step: (lock: Lock) => Promise<T>): Promise<T> {
    const lock = await this.#locks.acquire(this.#key);
    if ('busy' in lock) throw busy(this.#live.path, lock);
    try {
      return await step(lock);
    } finally {
      lock.release();
    }
  }

  async #turn<T>(
    lock: Lock,
    decide: (layout: Layout) => Decision<T> | Promise<Decision<T>>,
  ): Promise<{ answer: T; synced: Promise<void> }> {
    const layout = await this.#live.refresh();
    const { drafts, sync, answer } = await decide(layout);
    if (!sync) return { answer: answer([], layout), synced: Promise.resolve() };
    const log = await this.#logOf();
    const places = drafts.length === 0 ? [] : await this.#append(lock, log, drafts);
    const after = drafts.length === 0 ? layout : await this.#live.appended(joinPlaces(drafts, places));
    return { answer: answer(places, after), synced: this.#sync(log) };
  }

  async #append(lock: Lock, log: LineLog, drafts: readonly Draft[]): Promise<Place[]> {
    if (!lock.holds()) {
      const message = `The lock of the transcript ${this.#live.path} was taken away: nothing was appended; try again.`;
      throw new ReviewError('lockLost', message, { path: this.#live.path });
    }
    return log.append(drafts.map((draft) => draft.text));
  }

  /** Begun before the lock is released, awaited behind it. */
  #sync(log: LineLog): Promise<void> {
    const synced = log.sync();
    this.#syncs = Promise.allSettled([this.#syncs, synced]);
    return synced;
  }

  /** The log of the file that stands at the path now: a host may have replaced the one that was open. */
  async #logOf(): Promise<LineLog> {
    const { path, stamp } = this.#live;
    if (this.#open !== null && stamp !== null && isLogOf(this.#open, stamp)) return this.#open.log;
    await this.#closeLog();
    const log = await openLineLog({ path, maxLineBytes: MAX_LINE_BYTES });
    const { dev, ino } = await log.identity();
    this.#open = { log, dev, ino };
    if (stamp === null || isLogOf(this.#open, stamp)) return log;
    const message = `The transcript ${path} was replaced just now: nothing was appended; try again.`;
    throw storeFailed(message, path, null);
  }

  async #closeLog(): Promise<void> {
    await this.#syncs;
    const open = this.#open;
    this.#open = null;
    await open?.log.close();
  }
}

function isLogOf(open: OpenLog, stamp: FileStamp): boolean {
  return open.dev === stamp.dev && open.ino === stamp.ino;
}

function joinPlaces(drafts: readonly Draft[], places: readonly Place[]): OwnLine[] {
  return drafts.map((draft, index) => ({ ...draft, ...places[index]! }));
}

function busy(path: string, { holder }: LockBusy): ReviewError {
  const pid = holder?.pid;
  const who = typeof pid === 'number' ? `process ${pid}` : 'another process';
  return new ReviewError(
    'busy',
    `The transcript ${path} is held by ${who}: nothing was appended; try again.`,
    { path },
  );
}
