/**
 * One session on files: its journal is the authority, its packs hold the bytes.
 *
 * Protocol of a write: session lock (generation n) → journal opened, and seen to be the one that has the name → the
 * caller appends and puts; before each append the lock is asked whether it still holds, and each line carries n →
 * the lock is released → both files are synced together → the write resolves. The sync covers every earlier line, so
 * nobody's acknowledgement stands on a line that a power cut may take. It is made even where nothing was appended:
 * the caller may have decided on lines of a killed process.
 *
 * Failure: a write that throws leaves what it appended, which is lawful to see and was not acknowledged. A failed sync
 * is told with its errno; the journal is opened anew for the next write, and its segment is never appended to or
 * reused again. A session directory that was removed is told, and is made by `session(…, { create })` alone.
 *
 * Reading takes no lock. It ends at the last whole line; a line without its LF is not written yet.
 */
import { join } from 'node:path';
import {
  type Durability,
  type LineLog,
  type Lock,
  type LockBusy,
  type LockProvider,
  openLineLog,
  openPack,
  type Pack,
  readLineLog,
} from '@backstitch/durable-node';
import {
  type Busy,
  type EventData,
  isBusy,
  type Locator,
  ReviewError,
  type Revision,
  type SessionStore,
  type SessionWriter,
  type StoredEvent,
  type UnreadableEvent,
  type WriteOptions,
} from '@backstitch/review-core';
import { decodeEntry, encodeLine } from './journal.ts';
import {
  endOfEntries,
  type JournalFile,
  lastGeneration,
  offsetOf,
  revisionAt,
  statJournal,
} from './journal-place.ts';
import { asStore, storeFailure } from './store-failure.ts';
import { tightenSession } from './store-layout.ts';
import { watchPath } from './watch.ts';

export interface SessionParts {
  id: string;
  /** The name of the session's directory and of its lock. */
  key: string;
  directory: string;
  locks: LockProvider;
  durability: Durability;
  busyTimeoutMs: number;
  /** Throws where the store was closed. */
  checkOpen(): void;
}

/** What one write appended to, and put: what its sync must cover. */
interface Touched {
  journal: LineLog;
  pack: Pack;
  locators: Locator[];
}

export class FileSession implements SessionStore {
  readonly id: string;
  readonly #parts: SessionParts;
  readonly #path: string;
  #journal: LineLog | null = null;
  /** Of the journal that was opened last. */
  #identity: string | null = null;
  #pack: Promise<Pack> | null = null;
  #generation: number | null = null;
  readonly #running: Set<Promise<unknown>> = new Set();
  readonly #stops: Set<() => void> = new Set();

  constructor(parts: SessionParts) {
    this.id = parts.id;
    this.#parts = parts;
    this.#path = journalPath(parts.directory);
  }

  async *read(from?: Revision): AsyncGenerator<StoredEvent | UnreadableEvent> {
    this.#parts.checkOpen();
    try {
      const file = this.#file();
      const start = from === undefined ? null : await offsetOf(file, from);
      for await (const entry of readLineLog(this.#path, { from: start ?? 0, to: file.size })) {
        const decoded = decodeEntry(entry, file.size);
        if (decoded === null) continue;
        const { offset, length } = decoded;
        const revision = revisionAt(file, offset + length);
        if ('event' in decoded) yield { event: decoded.event, revision };
        else yield { unreadable: decoded.unreadable, offset, length, reason: decoded.reason, revision };
      }
    } catch (error) {
      // The disk refused: one bad line is an entry, never an error.
      throw storeFailure(error);
    }
  }

  async knows(revision: Revision): Promise<boolean> {
    this.#parts.checkOpen();
    return asStore(async () => (await offsetOf(this.#file(), revision)) !== null);
  }

  async blob(locator: Locator): Promise<Uint8Array | null> {
    this.#parts.checkOpen();
    return this.#track(asStore(async () => (await this.#openPack()).get(locator)));
  }

  async write<T>(fn: (writer: SessionWriter) => Promise<T>, options: WriteOptions = {}): Promise<T | Busy> {
    this.#parts.checkOpen();
    return this.#track(this.#write(fn, options));
  }

  watch(listener: () => void): () => void {
    this.#parts.checkOpen();
    const unwatch = watchPath(this.#parts.directory, this.#path, listener);
    const stop = (): void => {
      unwatch();
      this.#stops.delete(stop);
    };
    this.#stops.add(stop);
    return stop;
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Lets go of the open files, once what runs has ended. They are opened again when they are needed. */
  async closeFiles(): Promise<void> {
    while (!this.isIdle) await Promise.allSettled(this.#running);
    await this.#letGo();
  }

  stopWatching(): void {
    for (const stop of [...this.#stops]) stop();
  }

  async #track<T>(running: Promise<T>): Promise<T> {
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async #write<T>(
    fn: (writer: SessionWriter) => Promise<T>,
    { sync = true }: WriteOptions,
  ): Promise<T | Busy> {
    const lock = await asStore(() => this.#lock());
    if (isBusy(lock)) return lock;
    let touched: Touched;
    let result: T;
    try {
      touched = await asStore(() => this.#begin());
      const turn = await asStore(() => this.#turn(lock, touched));
      try {
        result = await fn(turn.writer);
      } finally {
        turn.end();
      }
    } finally {
      lock.release();
    }
    if (sync) await asStore(() => this.#sync(touched));
    return result;
  }

  async #lock(): Promise<Lock | Busy> {
    const { key, locks, busyTimeoutMs } = this.#parts;
    // A reboot empties the lock directory of its owners, a purge of all: generations go on above the journal's.
    this.#generation ??= await lastGeneration(this.#file());
    const lock = await locks.acquire(key, { timeoutMs: busyTimeoutMs, above: this.#generation });
    return 'busy' in lock ? busyOf(lock) : lock;
  }

  async #begin(): Promise<Touched> {
    const file = this.#file();
    if (!(await this.#isStill(file))) await this.#letGo();
    if (this.#journal === null) {
      tightenSession(this.#parts.directory);
      this.#journal = await openLineLog({ path: this.#path, durability: this.#parts.durability });
      this.#identity = file.identity;
    }
    return { journal: this.#journal, pack: await this.#openPack(), locators: [] };
  }

  /** Whether it is the journal that was opened last. While that is open, no other file can have its inode. */
  async #isStill(file: JournalFile): Promise<boolean> {
    if (this.#journal === null) return this.#identity === file.identity;
    const { dev, ino } = await this.#journal.identity();
    return dev === file.dev && ino === file.ino;
  }

  /** Closes what is open. Where the session was purged and made again, that belongs to nobody any more. */
  async #letGo(): Promise<void> {
    const journal = this.#journal;
    const pack = this.#pack;
    this.#journal = null;
    this.#pack = null;
    await journal?.close();
    await (await pack)?.close();
  }

  async #turn(lock: Lock, touched: Touched): Promise<{ writer: SessionWriter; end(): void }> {
    const file = this.#file();
    let top = revisionAt(file, await endOfEntries(file));
    let ended = false;
    const check = (): void => {
      if (!ended && lock.holds()) return;
      const message = `The session ${this.id} is not (or no longer) held by this write: read it and start over.`;
      throw new ReviewError('lockLost', message, { path: this.#path });
    };
    const writer: SessionWriter = {
      get top() {
        return top;
      },
      async put(digest, bytes, hint) {
        const locator = await asStore(async () => {
          check();
          return touched.pack.put(digest, bytes, hint);
        });
        touched.locators.push(locator);
        return locator;
      },
      async append(events: readonly EventData[]) {
        const lines = events.map((event) => encodeLine(event, lock.generation));
        const spans = await asStore(async () => {
          check();
          return touched.journal.append(lines);
        });
        const last = spans.at(-1);
        if (last !== undefined) top = revisionAt(file, last.offset + last.length);
        return top;
      },
    };
    return {
      writer,
      end: () => {
        ended = true;
      },
    };
  }

  async #sync({ journal, pack, locators }: Touched): Promise<void> {
    const [lines, bytes] = await Promise.allSettled([journal.sync(), pack.sync(locators)]);
    if (lines.status === 'rejected') {
      // EIO, ENOSPC: the log is sealed, since a second sync would claim what the first one lost.
      if (this.#journal === journal) this.#journal = null;
      await journal.close();
      throw lines.reason;
    }
    if (bytes.status === 'rejected') throw bytes.reason;
  }

  #openPack(): Promise<Pack> {
    const { directory, durability } = this.#parts;
    this.#pack ??= openPack({ directory, durability });
    return this.#pack;
  }

  #file(): JournalFile {
    const file = statJournal(this.#path);
    if (file !== null) return file;
    throw new ReviewError(
      'storeFailed',
      `The session ${this.id} has no journal at ${this.#path}: it was removed. Make it anew, or stop using it.`,
      { path: this.#path, errno: 'ENOENT' },
    );
  }
}

export function journalPath(directory: string): string {
  return join(directory, 'journal.jsonl');
}

function busyOf({ holder, generation }: LockBusy): Busy {
  const by = holder === null ? null : { pid: holder.pid, app: holder.app, hostId: holder.hostId, generation };
  return { busy: true, what: 'session', path: null, holder: by };
}
