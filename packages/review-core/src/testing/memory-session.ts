import { ReviewError } from '../errors.ts';
import type { Busy } from '../ports/capabilities.ts';
import type {
  EventData,
  Locator,
  Revision,
  SessionStore,
  SessionWriter,
  StoredEvent,
  UnreadableEvent,
  WriteOptions,
} from '../ports/store.ts';
import { subscribe } from './listeners.ts';
import type { MemoryJournal } from './memory-journal.ts';
import type { MemoryTicket } from './memory-lock.ts';
import type { MemoryProcess } from './memory-process.ts';
import { holderOf } from './memory-process.ts';

export type MemoryStoreStep = 'put' | 'append' | 'sync';

export interface SessionHandle {
  /** Throws where the handle is dead or closed. */
  check(): void;
  /** Throws where the test asked for it. */
  fail(step: MemoryStoreStep): void;
  timeoutMs: number;
}

export class MemorySession implements SessionStore {
  readonly id: string;
  readonly #journal: MemoryJournal;
  readonly #process: MemoryProcess;
  readonly #handle: SessionHandle;

  constructor(journal: MemoryJournal, process: MemoryProcess, handle: SessionHandle) {
    this.id = journal.id;
    this.#journal = journal;
    this.#process = process;
    this.#handle = handle;
  }

  async *read(from?: Revision): AsyncGenerator<StoredEvent | UnreadableEvent> {
    this.#handle.check();
    yield* this.#journal.read(from);
  }

  async knows(revision: Revision): Promise<boolean> {
    this.#handle.check();
    return this.#journal.knows(revision);
  }

  async blob(locator: Locator): Promise<Uint8Array | null> {
    this.#handle.check();
    return this.#journal.blob(locator);
  }

  async write<T>(fn: (writer: SessionWriter) => Promise<T>, options: WriteOptions = {}): Promise<T | Busy> {
    this.#checkThere();
    const ticket = await this.#journal.lock.acquire(this.#process, this.#handle.timeoutMs);
    if (ticket === null) return this.#busy();
    try {
      this.#checkThere();
      const result = await fn(this.#writer(ticket));
      this.#handle.check();
      if (options.sync !== false) this.#sync();
      return result;
    } finally {
      ticket.release();
    }
  }

  watch(listener: () => void): () => void {
    return subscribe(this.#journal.listeners, listener);
  }

  #writer(ticket: MemoryTicket): SessionWriter {
    const journal = this.#journal;
    const step = (name: 'put' | 'append'): void => {
      this.#handle.check();
      if (!ticket.holds()) {
        throw new ReviewError(
          'lockLost',
          `the session ${this.id} was taken away: read it again and start over`,
        );
      }
      this.#handle.fail(name);
    };
    const segment = `memory-${String(this.#process.owner.nonce)}`;
    return {
      get top() {
        return journal.top;
      },
      async put(digest, bytes, hint) {
        step('put');
        return journal.put(segment, digest, bytes, hint);
      },
      async append(events: readonly EventData[]) {
        step('append');
        journal.append(events);
        return journal.top;
      },
    };
  }

  #sync(): void {
    try {
      this.#handle.fail('sync');
    } catch (error) {
      // A sync that failed: what it covered may or may not be there, for good.
      this.#journal.failSync();
      throw error;
    }
    this.#journal.sync();
  }

  #checkThere(): void {
    this.#handle.check();
    if (this.#journal.removed) {
      throw new ReviewError('storeFailed', `the session ${this.id} was removed: open it anew`, {
        errno: 'ENOENT',
      });
    }
  }

  #busy(): Busy {
    const { holder } = this.#journal.lock;
    return {
      busy: true,
      what: 'session',
      path: null,
      holder: holder === null ? null : holderOf(holder.process.owner, holder.generation),
    };
  }
}

export function storeFailed(step: MemoryStoreStep, errno: string): ReviewError {
  return new ReviewError(
    'storeFailed',
    `the store could not ${step}: ${errno}. Mend the disk and try again`,
    { errno },
  );
}
