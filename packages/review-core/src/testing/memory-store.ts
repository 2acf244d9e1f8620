/**
 * The store port in memory, for tests: it keeps the promises of `ports/store.ts`, and does on demand what a
 * machine does by itself: it forgets what was not synced, kills a process, holds a lock, tears a line.
 *
 * Handles (`peer()`) share one state as processes share a directory. What a handle appended is seen by all of
 * them at once, and survives `powerCut()` only when the `write` that made it was synced.
 *
 * @since 0.1.0
 */
import { ReviewError } from '../errors.ts';
import type { Capabilities } from '../ports/capabilities.ts';
import type { OwnerRecord, ReviewStore, SessionInfo, SessionStore, UnreadableEvent } from '../ports/store.ts';
import { notifyAll, subscribe } from './listeners.ts';
import { MemoryJournal } from './memory-journal.ts';
import type { MemoryProcess } from './memory-process.ts';
import { createMemoryProcess } from './memory-process.ts';
import type { MemoryStoreStep, SessionHandle } from './memory-session.ts';
import { MemorySession, storeFailed } from './memory-session.ts';

export interface MemoryStoreOptions {
  /** The process that this handle belongs to; a new one by default. */
  process?: MemoryProcess;
  app?: string;
  /** How long `write` waits for a session, in milliseconds. Default 5000. */
  busyTimeoutMs?: number;
}

export interface MemoryStore extends ReviewStore {
  readonly process: MemoryProcess;
  /** Another process's handle on the same state. */
  peer(options?: MemoryStoreOptions): MemoryStore;
  /** The process of `owner` (by default this one) is gone, and with it whatever it held. */
  kill(owner?: OwnerRecord): void;
  /** Every process is gone, and with them everything that no sync had reached. Go on with `peer()`. */
  powerCut(): void;
  /** Somebody else has the session until the answered function is called. */
  hold(sessionId: string): () => void;
  /** Takes the session away from whoever has it: the next append there throws `lockLost`. */
  takeAway(sessionId: string): void;
  /** Leaves a torn line at the end of the journal. */
  tear(sessionId: string): void;
  /** Makes the event at `index` unreadable (negative: from the end), or appends an unreadable region. */
  damage(sessionId: string, options?: { index?: number; unreadable?: UnreadableEvent['unreadable'] }): void;
  /** The bytes of `digest` are missing or damaged from now on. */
  loseBytes(sessionId: string, digest: string): void;
  removeSession(sessionId: string): void;
  /** The next such step of this handle fails with `errno`. */
  failNext(step: MemoryStoreStep, errno: string): void;
}

interface World {
  sessions: Map<string, MemoryJournal>;
  processes: Map<unknown, MemoryProcess>;
  listeners: Set<() => void>;
}

/** @since 0.1.0 */
export function createMemoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  return new StoreHandle({ sessions: new Map(), processes: new Map(), listeners: new Set() }, options);
}

class StoreHandle implements MemoryStore {
  readonly capabilities: Capabilities = {
    dirFsync: { level: 'full' },
    ownerProof: { level: 'full' },
    hardLinks: { level: 'full' },
    watch: { level: 'full' },
    afterBytes: { level: 'full' },
  };
  readonly directory: null = null;
  readonly process: MemoryProcess;
  readonly #world: World;
  readonly #timeoutMs: number;
  readonly #opened: Map<MemoryJournal, MemorySession> = new Map();
  readonly #failures: { step: MemoryStoreStep; errno: string }[] = [];
  #closed = false;

  constructor(world: World, options: MemoryStoreOptions) {
    this.#world = world;
    this.process =
      options.process ?? createMemoryProcess(options.app === undefined ? {} : { app: options.app });
    this.#timeoutMs = options.busyTimeoutMs ?? 5000;
    world.processes.set(this.owner.nonce, this.process);
  }

  get owner(): OwnerRecord {
    return this.process.owner;
  }

  async isOwnerDead(owner: OwnerRecord): Promise<boolean> {
    return this.#world.processes.get(owner.nonce)?.alive === false;
  }

  async session(id: string, options: { create?: boolean } = {}): Promise<SessionStore | null> {
    this.#check();
    const journal = this.#world.sessions.get(id) ?? (options.create === true ? this.#create(id) : null);
    if (journal === null) return null;
    const session =
      this.#opened.get(journal) ?? new MemorySession(journal, this.process, this.#sessionHandle());
    this.#opened.set(journal, session);
    return session;
  }

  async *sessions(): AsyncGenerator<SessionInfo> {
    this.#check();
    for (const { id, createdAt, app } of [...this.#world.sessions.values()]) {
      yield { id, createdAt, app, forkedFrom: null };
    }
  }

  watch(listener: () => void): () => void {
    return subscribe(this.#world.listeners, listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  peer(options: MemoryStoreOptions = {}): MemoryStore {
    return new StoreHandle(this.#world, { busyTimeoutMs: this.#timeoutMs, ...options });
  }

  kill(owner: OwnerRecord = this.owner): void {
    this.#world.processes.get(owner.nonce)?.kill();
  }

  powerCut(): void {
    for (const process of this.#world.processes.values()) process.kill();
    for (const journal of this.#world.sessions.values()) journal.powerCut();
  }

  hold(sessionId: string): () => void {
    const ticket = this.#find(sessionId).lock.pin(createMemoryProcess({ app: 'holder' }));
    if (ticket === null) throw new Error(`the session is held already: ${sessionId}`);
    return () => ticket.release();
  }

  takeAway(sessionId: string): void {
    this.#find(sessionId).lock.breakLock();
  }

  tear(sessionId: string): void {
    this.#find(sessionId).tear();
  }

  damage(
    sessionId: string,
    { index, unreadable = 'damaged' }: { index?: number; unreadable?: UnreadableEvent['unreadable'] } = {},
  ): void {
    this.#find(sessionId).damage({ unreadable, reason: `the test made it ${unreadable}` }, index);
  }

  loseBytes(sessionId: string, digest: string): void {
    this.#find(sessionId).loseBytes(digest);
  }

  removeSession(sessionId: string): void {
    this.#find(sessionId).removed = true;
    this.#world.sessions.delete(sessionId);
    notifyAll(this.#world.listeners);
  }

  failNext(step: MemoryStoreStep, errno: string): void {
    this.#failures.push({ step, errno });
  }

  #create(id: string): MemoryJournal {
    const journal = new MemoryJournal(id, String(this.owner.app));
    this.#world.sessions.set(id, journal);
    notifyAll(this.#world.listeners);
    return journal;
  }

  #sessionHandle(): SessionHandle {
    return {
      check: () => this.#check(),
      fail: (step) => this.#fail(step),
      timeoutMs: this.#timeoutMs,
    };
  }

  #check(): void {
    this.process.check();
    if (this.#closed) throw new ReviewError('closed', 'the store was closed: open it again');
  }

  #fail(step: MemoryStoreStep): void {
    const index = this.#failures.findIndex((failure) => failure.step === step);
    if (index >= 0) throw storeFailed(step, this.#failures.splice(index, 1)[0]!.errno);
  }

  #find(sessionId: string): MemoryJournal {
    const journal = this.#world.sessions.get(sessionId);
    if (journal === undefined) throw new Error(`the test names a session that is not there: ${sessionId}`);
    return journal;
  }
}
