import type { LockHolder } from '../ports/capabilities.ts';
import type { OwnerRecord } from '../ports/store.ts';

/**
 * A process that only exists in a test. Handles made with the same one die together: after `kill()` each of
 * their calls throws `ProcessKilled`, nothing of what they hold is cleaned up, and their locks are free.
 *
 * @since 0.1.0
 */
export interface MemoryProcess {
  readonly owner: OwnerRecord;
  readonly alive: boolean;
  kill(): void;
  /** Throws `ProcessKilled` where the process is dead. */
  check(): void;
  onKill(listener: () => void): void;
}

/** What code that runs on in a killed process gets from each of its ports. */
export class ProcessKilled extends Error {
  override readonly name = 'ProcessKilled';
}

/** @since 0.1.0 */
export function createMemoryProcess(options: { app?: string } = {}): MemoryProcess {
  const nonce = crypto.randomUUID();
  const pid = 1000 + (Number.parseInt(nonce.slice(0, 4), 16) % 30_000);
  const owner: OwnerRecord = { pid, app: options.app ?? 'memory', hostId: 'memory', nonce };
  const listeners: (() => void)[] = [];
  let alive = true;
  return {
    owner,
    get alive() {
      return alive;
    },
    kill() {
      if (!alive) return;
      alive = false;
      for (const listener of listeners.splice(0)) listener();
    },
    check() {
      if (!alive) throw new ProcessKilled(`the process ${pid} was killed by the test`);
    },
    onKill(listener) {
      listeners.push(listener);
    },
  };
}

export function holderOf(owner: OwnerRecord, generation: number): LockHolder {
  return {
    pid: typeof owner.pid === 'number' ? owner.pid : null,
    app: typeof owner.app === 'string' ? owner.app : null,
    hostId: typeof owner.hostId === 'string' ? owner.hostId : null,
    generation,
  };
}
