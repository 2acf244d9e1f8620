/**
 * The contract of the store port: what `ports/store.ts` promises, as tests. Run it over your adapter:
 *
 *     storeContract({ describe, it, setup: async () => ({ store, reopen, …, cleanup }) });
 *
 * `setup` gives a fresh store, and the means to do to it what a machine does by itself.
 *
 * @since 0.1.0
 */
import type { Locator, OwnerRecord, ReviewStore } from '../../ports/store.ts';
import type { Contract } from './runner.ts';
import { blobTests } from './store-blobs.ts';
import { damageTests } from './store-damage.ts';
import { eventTests } from './store-events.ts';
import { exclusionTests } from './store-exclusion.ts';
import { sessionTests } from './store-sessions.ts';

export interface StoreSetup {
  store: ReviewStore;
  /** One more handle on the same state, as another process or a restart would open it. */
  reopen(): Promise<ReviewStore>;
  /** Has another process hold the session. The store's wait for it should be short. */
  hold(sessionId: string): Promise<() => Promise<void>>;
  /** Breaks the lock on the session, whoever has it. */
  takeAway(sessionId: string): Promise<void>;
  /** Makes the event at `index` unreadable where it lies. */
  damage(sessionId: string, index: number): Promise<void>;
  /** Leaves the beginning of an event at the end of the journal, as a writer killed in mid-write does. */
  tear(sessionId: string): Promise<void>;
  /** Damages or removes the bytes that `locator` names. */
  loseBytes(sessionId: string, locator: Locator): Promise<void>;
  /** Removes the session with all that it holds, behind the store's back. */
  removeSession(sessionId: string): Promise<void>;
  /** The owner record of a process that ran and is dead. */
  deadOwner(): Promise<OwnerRecord>;
  cleanup(): Promise<void>;
}

/** @since 0.1.0 */
export function storeContract(contract: Contract<StoreSetup>): void {
  contract.describe('store contract', () => {
    sessionTests(contract);
    eventTests(contract);
    exclusionTests(contract);
    blobTests(contract);
    damageTests(contract);
  });
}
