/**
 * The sessions that this service was asked about: opened once, recovered before their first use, watched for
 * what other processes append, and announced to whoever subscribed.
 */
import { ReviewError } from '../errors.ts';
import type { ReviewStore, Revision } from '../ports/store.ts';
import type { Workspace } from '../ports/workspace.ts';
import type { Deps } from './deps.ts';
import { resyncLog } from './project.ts';
import { recoverSession } from './recover.ts';
import { Session } from './session.ts';
import type { ReviewEvent } from './types.ts';

interface Held {
  session: Session;
  recovered: Promise<void>;
  unwatch: () => void;
}

export class Sessions {
  readonly #store: ReviewStore;
  readonly #workspaceOf: (sessionId: string) => Workspace;
  readonly #warn: (message: string, error: unknown) => void;
  readonly #held: Map<string, Promise<Held | null>> = new Map();
  /** Asked for and not there yet: announced when somebody makes them. */
  readonly #awaited: Set<string> = new Set();
  readonly #listeners: Set<(event: ReviewEvent) => void> = new Set();
  #unwatchStore: (() => void) | null = null;
  #closed = false;

  constructor(
    store: ReviewStore,
    workspaceOf: (sessionId: string) => Workspace,
    warn: (message: string, error: unknown) => void,
  ) {
    this.#store = store;
    this.#workspaceOf = workspaceOf;
    this.#warn = warn;
  }

  async get(deps: Deps, id: string, create: boolean): Promise<Session | null> {
    if (this.#closed) throw new ReviewError('closed', 'The review service was closed. Make a new one.');
    // Before anything is opened: a misplaced store must not be written to.
    this.#workspaceOf(id);
    let held = await this.#held.get(id);
    if (held == null) {
      const opening = this.#open(deps, id, create);
      this.#held.set(id, opening);
      opening.catch(() => this.#held.delete(id));
      held = await opening;
    }
    if (held === null) {
      this.#held.delete(id);
      this.#await(id);
      return null;
    }
    await held.recovered;
    return held.session;
  }

  async ready(deps: Deps): Promise<void> {
    for await (const { id } of this.#store.sessions()) await this.get(deps, id, false);
  }

  subscribe(listener: (event: ReviewEvent) => void): () => void {
    const own = (event: ReviewEvent): void => listener(event);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** The host appended a line that may own snapshots: states that waited for it are written now. */
  ownerAppended(deps: Deps, id: string): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    held
      .then((found) => (found === null ? undefined : resyncLog(deps, found.session)))
      .catch((error: unknown) => this.#warn(`The transcript of ${id} could not be resynced.`, error));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unwatchStore?.();
    this.#listeners.clear();
    for (const held of this.#held.values()) (await held.catch(() => null))?.unwatch();
    this.#held.clear();
  }

  async #open(deps: Deps, id: string, create: boolean): Promise<Held | null> {
    const store = await this.#store.session(id, { create });
    if (store === null) return null;
    this.#awaited.delete(id);
    const session = new Session(store, (sessionId, revision, ids) =>
      this.#announce(sessionId, revision, ids),
    );
    await session.refresh();
    const recovered = recoverSession(deps, session).then(
      () => undefined,
      // A disk that refuses keeps nobody from reading: what is open stays visible, and recover() tries again.
      (error: unknown) => this.#warn(`The session ${id} could not be recovered.`, error),
    );
    const unwatch = store.watch(() => {
      session
        .refresh()
        .catch((error: unknown) => this.#warn(`The session ${id} could not be followed.`, error));
    });
    return { session, recovered, unwatch };
  }

  #await(id: string): void {
    this.#awaited.add(id);
    this.#unwatchStore ??= this.#store.watch(() => {
      // Which one was made is not said: whoever waits asks again, and gets it then.
      for (const waiting of this.#awaited) this.#announce(waiting, null, []);
    });
  }

  #announce(sessionId: string, revision: Revision | null, snapshotIds: string[]): void {
    for (const listener of this.#listeners) {
      try {
        listener({ sessionId, revision, snapshotIds });
      } catch (error) {
        // A listener's own failure must not reach the verb that it was told about.
        this.#warn('A listener for changes failed.', error);
      }
    }
  }
}
