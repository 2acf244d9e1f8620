import type { OwnerRecord } from './owner.ts';

/** What holds on this machine. `why` says what is missing and what it costs. */
export interface LockCapability {
  level: 'full' | 'weaker' | 'none';
  why?: string;
}

export interface LockCapabilities {
  /** Known once a lock was taken; until then it says what is expected. */
  hardLinks: LockCapability;
  /** How far the death of a holder can be proved. */
  ownerProof: LockCapability;
}

/** A lock that is held until it is released, or somebody breaks it. @since 0.1.0 */
export interface Lock {
  readonly key: string;
  /** The fencing number: it grows with each holder of this key. */
  readonly generation: number;
  /** Whether it is still held. Synchronous, about 0.05 ms: ask just before each append and each publish. */
  holds(): boolean;
  /**
   * Never throws, and more than once does nothing more. A release that the system refuses (a full disk) leaves the
   * lock with this provider: its next `acquire` of the key takes it over, others see it held until this process ends.
   */
  release(): void;
}

/** Somebody else held the lock for the whole bounded wait. @since 0.1.0 */
export interface LockBusy {
  busy: true;
  /** Null where its record can't be read. */
  holder: OwnerRecord | null;
  generation: number;
}

export interface AcquireOptions {
  /** How long to wait at most, in milliseconds. 0: one try. Default 5,000. */
  timeoutMs?: number;
  /**
   * The generation will be higher than this. After a power cut a lock directory may begin anew: give the last
   * generation that was written down elsewhere. Default 0.
   */
  above?: number;
}

/** @since 0.1.0 */
export interface LockProvider {
  /** This process, this thread, this provider. */
  readonly owner: OwnerRecord;
  readonly capabilities: LockCapabilities;
  /** True only on proof; false for anything that can't be told, and for what is no owner record. */
  isOwnerDead(owner: unknown): Promise<boolean>;
  /**
   * @param key names the lock: letters, digits, `.`, `_` and `-`, such as a digest
   * @throws DurableError `invalidArgument`, or `ioFailed` where the directory refuses
   */
  acquire(key: string, options?: AcquireOptions): Promise<Lock | LockBusy>;
  /**
   * Takes a lock from its holder, whose `holds()` is false from then on. A person decides this: write it down.
   * False where that generation is not held (any more).
   */
  breakLock(key: string, options: BreakLockOptions): Promise<boolean>;
  /** Removes the file that this provider links its locks from. Locks that are held stay held. */
  close(): void;
}

export interface BreakLockOptions {
  generation: number;
  /** 1 to 1,000 characters; kept in the lock directory for a while. */
  reason: string;
}

export interface LockProviderOptions {
  /** Where the lock directories are made, one per key: one file system, and the same one for all contenders. */
  directory: string;
  /** Shown to whoever finds the lock held. */
  app?: string;
  /** Proof that only the host has, such as "that container is gone". True means dead for certain. */
  isOwnerDead?: (owner: OwnerRecord) => boolean | Promise<boolean>;
}
