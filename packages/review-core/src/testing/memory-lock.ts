import type { MemoryProcess } from './memory-process.ts';

/**
 * A fenced lock: whoever takes it gets a ticket, and a ticket stops holding when it is released, when its
 * process dies, or when the lock is taken away from it.
 *
 * Waiters are served in order. Where the holder is one that a test put there (`pinned`), nobody waits.
 */
export interface MemoryTicket {
  readonly generation: number;
  holds(): boolean;
  release(): void;
}

interface Holder {
  process: MemoryProcess;
  generation: number;
  pinned: boolean;
}

export class MemoryLock {
  #generation = 0;
  #holder: Holder | null = null;
  readonly #waiters: (() => void)[] = [];

  get holder(): { process: MemoryProcess; generation: number } | null {
    return this.#holder;
  }

  /** Null where it could not be had within `timeoutMs`. */
  async acquire(process: MemoryProcess, timeoutMs: number): Promise<MemoryTicket | null> {
    const until = Date.now() + timeoutMs;
    while (this.#holder !== null) {
      const left = until - Date.now();
      if (this.#holder.pinned || left <= 0) return null;
      await this.#freed(left);
      process.check();
    }
    return this.#take(process, false);
  }

  /** As another holder that does not let go by itself; null where somebody holds it. */
  pin(process: MemoryProcess): MemoryTicket | null {
    return this.#holder === null ? this.#take(process, true) : null;
  }

  /** Frees the lock, whoever holds it: its ticket holds no more. */
  breakLock(): void {
    this.#holder = null;
    this.#waiters.shift()?.();
  }

  #take(process: MemoryProcess, pinned: boolean): MemoryTicket {
    this.#generation += 1;
    const holder: Holder = { process, generation: this.#generation, pinned };
    this.#holder = holder;
    const release = (): void => {
      if (this.#holder === holder) this.breakLock();
    };
    process.onKill(release);
    return { generation: holder.generation, holds: () => this.#holder === holder, release };
  }

  #freed(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiters.splice(this.#waiters.indexOf(wake), 1);
        resolve();
      }, timeoutMs);
      this.#waiters.push(wake);
    });
  }
}
