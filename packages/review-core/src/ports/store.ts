import type { Busy, Capabilities } from './capabilities.ts';

/**
 * The store port: events and bytes of a session, and nothing else. What an event means is folded in this
 * package (`service/fold.ts`); a store keeps and returns it.
 *
 * Guaranteed by an implementation (see the contract suite on `./testing`): events come back in the order in
 * which they were appended; what `write` resolved for is durable; a blob that comes back has the length and
 * SHA-256 of its locator; one writer at a time, over all processes.
 *
 * @since 0.1.0
 */

/** Names bytes in the store. `segment` and `offset` mean something to the store that made it alone. */
export interface Locator {
  digest: string;
  segment: string;
  offset: number;
  length: number;
}

/** A place between two events: `<journal>:<offset>`. `knows` tells whether it is one of the journal as it is now. */
export type Revision = string;

/** One event: a JSON object with its type in `t`. The store adds members of its own on disk, and strips them. */
export interface EventData {
  t: string;
  [member: string]: unknown;
}

export interface StoredEvent {
  event: EventData;
  /** The place behind this event. */
  revision: Revision;
}

/** A region of the journal that is no event. Never an exception: one bad line hides no other. */
export interface UnreadableEvent {
  unreadable: 'damaged' | 'newer';
  offset: number;
  length: number;
  reason: string;
  revision: Revision;
}

/** What a writer can do while it holds the session. */
export interface SessionWriter {
  /** The place behind the last event. */
  readonly top: Revision;
  /**
   * Stores bytes, or finds the same bytes already stored and proved to be on disk. `hint` names where the
   * caller's record says that they lie: a store reuses it only after it read, hashed and synced them.
   */
  put(digest: string, bytes: Uint8Array, hint?: Locator): Promise<Locator>;
  /** Appends in order. Throws `lockLost` where the session was taken away meanwhile. */
  append(events: readonly EventData[]): Promise<Revision>;
}

export interface WriteOptions {
  /** False: what is appended survives the process, not the power. For marks that only speed up recovery. */
  sync?: boolean;
}

export interface SessionStore {
  readonly id: string;
  /** Events behind `from`, or all of them. Takes no lock. Ends at the last whole event. */
  read(from?: Revision): AsyncIterable<StoredEvent | UnreadableEvent>;
  /** Whether `revision` is a place of this journal, as it is now. */
  knows(revision: Revision): Promise<boolean>;
  /** Verified by length and SHA-256; null where the bytes are missing or damaged. */
  blob(locator: Locator): Promise<Uint8Array | null>;
  /** Exclusive over all processes and fenced; resolves when all of it is durable. Held only to append. */
  write<T>(fn: (writer: SessionWriter) => Promise<T>, options?: WriteOptions): Promise<T | Busy>;
  /** Calls back after appends of this and of other processes. May call back more often than needed. */
  watch(listener: () => void): () => void;
}

export interface SessionInfo {
  id: string;
  createdAt: string;
  /** The application that made the session. */
  app: string;
  forkedFrom: string | null;
}

/** Who makes a process-owned capture: enough to prove later that it is dead. Plain JSON. */
export type OwnerRecord = Record<string, string | number | boolean | null>;

export interface ReviewStore {
  readonly capabilities: Capabilities;
  /** Where the store lies, if it lies in a file system: it may be in no workspace, and no workspace in it. */
  readonly directory: string | null;
  /** This process, as captures name it. */
  readonly owner: OwnerRecord;
  /** True only on proof of death; false for anything that can't be told. */
  isOwnerDead(owner: OwnerRecord): Promise<boolean>;
  /** Null where there is none and `create` is not given. */
  session(id: string, options?: { create?: boolean }): Promise<SessionStore | null>;
  sessions(): AsyncIterable<SessionInfo>;
  /** Calls back when a session was made or removed, by any process. */
  watch(listener: () => void): () => void;
  close(): Promise<void>;
}
