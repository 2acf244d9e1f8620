/**
 * Tells that something changed below a directory, by whatever process.
 *
 * The system's own watch is quick (about 1 ms) and not to be relied on: it is missing on some file systems, it runs out
 * of handles, and it stays on a directory that was removed and made again. So a poll of the stamps goes beside it, once
 * a second, or four times where there is no watch; it also arms the watch again. Calls that come close together are
 * one. An event means only "look again"; a listener may be called for nothing.
 *
 * Nothing here keeps a process alive, and nothing throws from a timer.
 */
import { type BigIntStats, type FSWatcher, lstatSync, watch } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename } from 'node:path';
import { errnoOf } from '@backstitch/durable-node';

const POLL_MS = 1000;
const POLL_ALONE_MS = 250;
const TOGETHER_MS = 16;

/**
 * @param directory what the system watches
 * @param stamped the path whose stamp the poll compares
 * @returns stops it
 */
export function watchPath(directory: string, stamped: string, listener: () => void): () => void {
  const watcher = new Watcher(directory, stamped, listener);
  return () => watcher.stop();
}

class Watcher {
  readonly #directory: string;
  readonly #stamped: string;
  readonly #listener: () => void;
  #system: FSWatcher | null = null;
  #armedOn: string | null = null;
  #stamp: string | null;
  #due: NodeJS.Timeout | null = null;
  #poll: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(directory: string, stamped: string, listener: () => void) {
    this.#directory = directory;
    this.#stamped = stamped;
    this.#listener = listener;
    this.#stamp = stampOf(lstatSync(stamped, STAT));
    this.#arm();
    this.#pollLater();
  }

  stop(): void {
    this.#stopped = true;
    this.#disarm();
    clearTimeout(this.#due ?? undefined);
    clearTimeout(this.#poll ?? undefined);
  }

  /** The identity first: a directory that is replaced in between is then found out by the next look. */
  #arm(): void {
    try {
      this.#armedOn = identityOf(lstatSync(this.#directory, STAT));
      const system = watch(this.#directory, { persistent: false }, (_, name) => this.#told(name));
      // The directory went away, or the system gave up: the poll goes on, and arms it again.
      system.on('error', () => this.#disarm());
      this.#system = system;
    } catch (error) {
      // ENOENT: it is gone for now. ENOSPC, EMFILE: no watch is left. The poll does it alone.
      if (errnoOf(error) === null) throw error;
    }
  }

  /** A directory tells under its own name that it goes away: the next look arms a watch on what comes then. */
  #told(name: string | null): void {
    if (name === basename(this.#directory)) this.#disarm();
    this.#changed();
  }

  #disarm(): void {
    this.#system?.close();
    this.#system = null;
    this.#armedOn = null;
  }

  #pollLater(): void {
    const wait = this.#system === null ? POLL_ALONE_MS : POLL_MS;
    this.#poll = setTimeout(() => void this.#look(), wait).unref();
  }

  async #look(): Promise<void> {
    const [directory, stamped] = await Promise.all([look(this.#directory), look(this.#stamped)]);
    if (this.#stopped) return;
    if (this.#system === null || this.#armedOn !== identityOf(directory)) {
      this.#disarm();
      this.#arm();
    }
    const stamp = stampOf(stamped);
    if (this.#stamp !== stamp) this.#changed();
    this.#stamp = stamp;
    this.#pollLater();
  }

  #changed(): void {
    if (this.#stopped || this.#due !== null) return;
    this.#due = setTimeout(() => {
      this.#due = null;
      this.#call();
    }, TOGETHER_MS).unref();
  }

  #call(): void {
    try {
      this.#listener();
    } catch (error) {
      // A fault of the listener's own: told, but it must not end the process from a timer.
      process.emitWarning(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

const STAT = { bigint: true, throwIfNoEntry: false } as const;

async function look(path: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    // Gone, or not to be looked at (any more): for a watcher that is a state like any other.
    if (errnoOf(error) === null) throw error;
    return undefined;
  }
}

function identityOf(stats: BigIntStats | undefined): string | null {
  // With the time of its birth: the next directory often gets the number of the one before it.
  return stats === undefined ? null : `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
}

function stampOf(stats: BigIntStats | undefined): string | null {
  return stats === undefined ? null : `${identityOf(stats)}:${stats.size}:${stats.mtimeNs}`;
}
