/**
 * One session as the service holds it: its store and the fold of its journal, kept in step.
 *
 * `refresh` reads what was appended since the last time, by whomever. `write` takes the session lock, brings
 * the fold up to the journal's end, and only then lets its caller decide: a decision on a stale fold can't be
 * written. The fold is never changed by hand; own events come back by reading, like everybody's.
 */
import { ReviewError } from '../errors.ts';
import type { Busy } from '../ports/capabilities.ts';
import type { EventData, Revision, SessionStore, SessionWriter, WriteOptions } from '../ports/store.ts';
import type { ReviewChange } from '../record/v1.ts';
import type { JournalEvent } from './events.ts';
import type { Entry } from './fold.ts';
import { Fold } from './fold.ts';
import { parseEvent } from './parse-event.ts';

/** A writer over an up-to-date fold. */
export interface Transaction {
  readonly fold: Fold;
  put: SessionWriter['put'];
  append(events: readonly JournalEvent[]): Promise<void>;
}

export type Changed = (sessionId: string, revision: Revision | null, ids: string[]) => void;

export class Session {
  readonly id: string;
  readonly store: SessionStore;
  #fold: Fold;
  #revision: Revision | undefined;
  #reading: Promise<void> = Promise.resolve();
  readonly #changed: Changed;

  constructor(store: SessionStore, changed: Changed) {
    this.id = store.id;
    this.store = store;
    this.#fold = new Fold(store.id);
    this.#changed = changed;
  }

  /** As of the last `refresh` or `write`. */
  get fold(): Fold {
    return this.#fold;
  }

  get revision(): Revision | null {
    return this.#revision ?? null;
  }

  /** Brings the fold up to the end of the journal. Takes no lock. */
  refresh(): Promise<void> {
    const next = this.#reading.then(() => this.#read());
    // A failed read is told to its own caller; the next one starts from where the fold stands.
    this.#reading = next.catch(ignoreTold);
    return next;
  }

  async write<T>(fn: (tx: Transaction) => Promise<T>, options?: WriteOptions): Promise<T | Busy> {
    const result = await this.store.write(async (writer) => {
      await this.refresh();
      if (this.#fold.readOnly !== null) {
        throw new ReviewError(
          'storeReadOnly',
          `The session ${this.id} can't be written: ${this.#fold.readOnly}. Use the version that wrote it.`,
        );
      }
      return fn({
        fold: this.#fold,
        put: (digest, bytes, hint) => writer.put(digest, bytes, hint),
        append: async (events) => {
          await writer.append(events as unknown as EventData[]);
        },
      });
    }, options);
    await this.refresh();
    return result;
  }

  /** The entry of a record of this session. Absent and another session's look the same. */
  entry(snapshotId: string): Entry {
    const entry = this.#fold.entries.get(snapshotId);
    if (entry === undefined) throw unknownRecord(this.id, snapshotId);
    return entry;
  }

  /** A copy: what leaves the service is the caller's own. */
  change(snapshotId: string): ReviewChange {
    return structuredCopy(this.entry(snapshotId).change);
  }

  async #read(): Promise<void> {
    let reset = false;
    if (this.#revision !== undefined && !(await this.store.knows(this.#revision))) {
      // The journal was replaced (a purge and a new session of the same name): nothing known holds any more.
      this.#fold = new Fold(this.id);
      this.#revision = undefined;
      reset = true;
    }
    const touched = new Set<string>();
    const before = this.#revision;
    for await (const item of this.store.read(this.#revision)) {
      this.#revision = item.revision;
      if ('unreadable' in item) {
        this.#fold.damaged(item.unreadable, null, null, item.reason);
        if (item.unreadable === 'newer') this.#fold.readOnly = 'a newer version wrote to it';
        continue;
      }
      for (const id of applyEvent(this.#fold, item.event)) touched.add(id);
    }
    if (reset || this.#revision !== before) this.#changed(this.id, this.revision, [...touched]);
  }
}

export function unknownRecord(sessionId: string, snapshotId: string): ReviewError {
  return new ReviewError(
    'unknownRecord',
    `The session ${sessionId} has no change ${snapshotId}. List the session's changes and use an id from there.`,
  );
}

/** A deep copy of plain data. */
export function structuredCopy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function ignoreTold(): void {
  // The caller of that refresh has the error.
}

function applyEvent(fold: Fold, data: EventData): string[] {
  const parsed = parseEvent(data);
  if ('event' in parsed) return fold.apply(parsed.event);
  if ('damaged' in parsed) {
    fold.damaged('damaged', parsed.id, parsed.seq, `an event of the journal does not fit: ${parsed.damaged}`);
    return [];
  }
  if ('newer' in parsed) {
    fold.damaged('newer', parsed.id, parsed.seq, parsed.newer);
    return [];
  }
  if (parsed.critical) fold.readOnly = `it holds an event of the unknown type '${parsed.unknown}'`;
  return [];
}
