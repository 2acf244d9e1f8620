/**
 * The session store on files. Any number of processes may open the same directory: the lock of a session orders its
 * writers, and readers need none.
 *
 * What a write resolved for survives a power cut (durability `power`). What lies in the directory is input: each line
 * and each blob is checked when it is read, and damage to one hides no other. See docs/design/store-format.md.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createLockProvider,
  type Durability,
  type LockProvider,
  makeDirectory,
  openLineLog,
} from '@backstitch/durable-node';
import {
  type Capabilities,
  type OwnerRecord,
  ReviewError,
  type ReviewStore,
  type SessionInfo,
  type SessionStore,
} from '@backstitch/review-core';
import { readInfo, writeInfo } from './session-info.ts';
import { FileSession, journalPath } from './session-store.ts';
import { asStore } from './store-failure.ts';
import { isSessionKey, openLayout, type StoreLayout, sessionKey } from './store-layout.ts';
import { watchPath } from './watch.ts';

export interface FileReviewStoreOptions {
  /** Absolute, private to the store, and outside every tracked root. Made where it is missing. */
  directory: string;
  /** The application, as it is named to whoever finds a session busy. Default `backstitch`. */
  owner?: string;
  /** Default `power`. */
  durability?: Durability;
  /**
   * Proof that only the host has of a process's death, such as "its container is gone". True means dead for certain:
   * what it held is taken over.
   */
  isOwnerDead?: (owner: OwnerRecord) => boolean | Promise<boolean>;
}

const BUSY_TIMEOUT_MS = 5000;
/** Sessions whose files stay open between writes: two handles each. */
const OPEN_SESSIONS = 32;

/**
 * @throws ReviewError `storePlacement` (not absolute, or in use for other things), `storeDamaged`, `storeReadOnly` (a
 *   newer version made it), `storeFailed` with the errno
 * @since 0.1.0
 */
export function openFileReviewStore(options: FileReviewStoreOptions): Promise<ReviewStore> {
  return openStore({ ...options, busyTimeoutMs: BUSY_TIMEOUT_MS });
}

export async function openStore(
  options: FileReviewStoreOptions & { busyTimeoutMs: number },
): Promise<ReviewStore> {
  const { directory, owner = 'backstitch', durability = 'power', busyTimeoutMs, isOwnerDead } = options;
  return asStore(async () => {
    const layout = await openLayout(directory, durability);
    const locks = createLockProvider({
      directory: layout.locks,
      app: owner,
      ...(isOwnerDead === undefined ? {} : { isOwnerDead }),
    });
    return new FileReviewStore(layout, locks, { owner, durability, busyTimeoutMs });
  });
}

interface StoreSettings {
  owner: string;
  durability: Durability;
  busyTimeoutMs: number;
}

class FileReviewStore implements ReviewStore {
  readonly directory: string;
  readonly #layout: StoreLayout;
  readonly #locks: LockProvider;
  readonly #settings: StoreSettings;
  readonly #sessions: Map<string, FileSession> = new Map();
  readonly #stops: Set<() => void> = new Set();
  #closing: Promise<void> | null = null;

  constructor(layout: StoreLayout, locks: LockProvider, settings: StoreSettings) {
    this.directory = layout.directory;
    this.#layout = layout;
    this.#locks = locks;
    this.#settings = settings;
  }

  get capabilities(): Capabilities {
    const { hardLinks, ownerProof } = this.#locks.capabilities;
    return {
      dirFsync: dirFsync(this.#settings.durability),
      hardLinks,
      ownerProof,
      watch: { level: 'full' },
      afterBytes: { level: 'full' },
    };
  }

  get owner(): OwnerRecord {
    return { ...this.#locks.owner };
  }

  isOwnerDead(owner: OwnerRecord): Promise<boolean> {
    return asStore(() => this.#locks.isOwnerDead(owner));
  }

  async session(id: string, options: { create?: boolean } = {}): Promise<SessionStore | null> {
    this.#checkOpen();
    const key = sessionKey(id);
    const info = await asStore(() => readInfo(this.#pathOf(key), key));
    if (typeof info === 'string' && options.create === true) await asStore(() => this.#create(id, key));
    else if (info === 'missing') return null;
    return this.#open(id, key);
  }

  async *sessions(): AsyncGenerator<SessionInfo> {
    this.#checkOpen();
    const names = await asStore(() => readdir(this.#layout.sessions));
    for (const key of names.filter(isSessionKey)) {
      const info = await asStore(() => readInfo(this.#pathOf(key), key));
      // A damaged description hides the session from the list, not from whoever asks for it by its id.
      if (typeof info !== 'string') yield info;
    }
  }

  watch(listener: () => void): () => void {
    this.#checkOpen();
    const unwatch = watchPath(this.#layout.sessions, this.#layout.sessions, listener);
    const stop = (): void => {
      unwatch();
      this.#stops.delete(stop);
    };
    this.#stops.add(stop);
    return stop;
  }

  close(): Promise<void> {
    this.#closing ??= asStore(() => this.#close());
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const stop of [...this.#stops]) stop();
    for (const session of this.#sessions.values()) session.stopWatching();
    await Promise.all([...this.#sessions.values()].map((session) => session.closeFiles()));
    this.#locks.close();
  }

  /** Under the session's lock, so that two who make it at once make one. */
  async #create(id: string, key: string): Promise<void> {
    const { owner, durability, busyTimeoutMs } = this.#settings;
    const directory = this.#pathOf(key);
    const lock = await this.#locks.acquire(key, { timeoutMs: busyTimeoutMs });
    if ('busy' in lock) {
      const message = `The session ${id} could not be made: another process holds it. Try again.`;
      throw new ReviewError('busy', message, { path: directory });
    }
    try {
      if (typeof (await readInfo(directory, key)) !== 'string') return;
      await makeDirectory(directory, { durability });
      await (await openLineLog({ path: journalPath(directory), durability })).close();
      const info = { id, createdAt: new Date().toISOString(), app: owner, forkedFrom: null };
      await writeInfo(directory, info, durability);
    } finally {
      lock.release();
    }
  }

  #open(id: string, key: string): FileSession {
    const { durability, busyTimeoutMs } = this.#settings;
    const session =
      this.#sessions.get(key) ??
      new FileSession({
        id,
        key,
        directory: this.#pathOf(key),
        locks: this.#locks,
        durability,
        busyTimeoutMs,
        checkOpen: () => this.#checkOpen(),
      });
    // Last in the map is used last.
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    this.#closeOldFiles();
    return session;
  }

  #closeOldFiles(): void {
    const idle = [...this.#sessions.values()].slice(0, -OPEN_SESSIONS).filter((session) => session.isIdle);
    // A failure to close is met again, and told, by whoever opens the files next.
    for (const session of idle) session.closeFiles().catch(() => {});
  }

  #pathOf(key: string): string {
    return join(this.#layout.sessions, key);
  }

  #checkOpen(): void {
    if (this.#closing === null) return;
    throw new ReviewError('closed', `The store ${this.directory} was closed: open it again.`, {
      path: this.directory,
    });
  }
}

function dirFsync(durability: Durability): { level: 'full' | 'weaker' | 'none'; why?: string } {
  if (process.platform === 'win32') {
    return {
      level: 'none',
      why: 'this system can not sync a directory: a power cut may take the newest session',
    };
  }
  if (durability === 'power') return { level: 'full' };
  return {
    level: 'weaker',
    why: `durability is '${durability}': a power cut may take what was written last`,
  };
}
