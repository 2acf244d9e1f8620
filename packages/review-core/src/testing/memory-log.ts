import type { AppendStateResult, LogState, ResyncResult, ReviewLog } from '../ports/log.ts';
import { notifyAll } from './listeners.ts';

/**
 * The log port in memory: a list of state lines, and the tool lines that own snapshots.
 *
 * @since 0.1.0
 */
export interface MemoryLog extends ReviewLog {
  /** Every state line, in the order in which they were appended. */
  readonly lines: readonly LogState[];
  /** Appends the tool line `messageId`, and tells those that wait for it. */
  addOwner(messageId: string): void;
  /** The next `appendState` or `resync` throws `error`. */
  failNext(error: Error): void;
}

/** @since 0.1.0 */
export function createMemoryLog(): MemoryLog {
  const lines: LogState[] = [];
  const owners = new Set<string>();
  const listeners = new Set<(messageId: string) => void>();
  const failures: Error[] = [];

  const append = ({ messageId, snapshotId, state }: LogState): AppendStateResult => {
    if (!owners.has(messageId)) return 'ownerMissing';
    const last = lines.findLast((line) => line.messageId === messageId && line.snapshotId === snapshotId);
    if ((last?.state ?? 'active') === state) return 'duplicate';
    lines.push({ messageId, snapshotId, state });
    return 'appended';
  };
  const fail = (): void => {
    const error = failures.shift();
    if (error !== undefined) throw error;
  };
  return {
    lines,
    addOwner(messageId) {
      owners.add(messageId);
      notifyAll(listeners, messageId);
    },
    failNext: (error) => void failures.push(error),
    async appendState(state) {
      fail();
      return append(state);
    },
    async resync(states) {
      fail();
      const results = states.map(append);
      const count = (result: AppendStateResult): number => results.filter((each) => each === result).length;
      return { appended: count('appended'), ownerMissing: count('ownerMissing') } satisfies ResyncResult;
    },
    onOwner(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
