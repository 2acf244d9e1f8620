import { randomBytes } from 'node:crypto';
import type { Durability } from '../durability.ts';
import { createGroupCommit } from '../group-commit.ts';
import { segmentName } from './locator.ts';
import { createSegment, type Segment } from './segment.ts';

/** The segments of one writer: appends go to the newest, syncs to all that need one. */
export interface PackWriter {
  append(bytes: Uint8Array): Promise<{ segment: string; offset: number }>;
  /** Undefined for the segment of another writer. */
  segment(name: string): Segment | undefined;
  /** Covers every append that resolved before the call. Never throws: see each segment's `failure`. */
  sync(): Promise<void>;
  /** A segment that has lost something, if there is one. */
  lossy(): Segment | undefined;
  close(): Promise<void>;
}

/** A segment that would grow over this gets a successor. */
const SEGMENT_BYTES = 64 * 1024 * 1024;

export function createPackWriter(directory: string, durability: Durability): PackWriter {
  const nonce = randomBytes(8).toString('hex');
  const segments = new Map<string, Segment>();
  let current: Segment | null = null;
  let queue: Promise<unknown> = Promise.resolve();

  /** One after another, so that nothing is written between two slices, and nothing closed under a write. */
  function enqueue<T>(task: () => T | Promise<T>): Promise<T> {
    const result = queue.then(task);
    queue = result.catch(() => {});
    return result;
  }

  function segmentFor(length: number): Segment {
    const full = current !== null && current.written > 0 && current.written + length > SEGMENT_BYTES;
    if (current === null || current.failure !== null || full) {
      current = createSegment(directory, segmentName(nonce, segments.size + 1), durability);
      segments.set(current.name, current);
    }
    return current;
  }

  async function appendNow(bytes: Uint8Array): Promise<{ segment: string; offset: number }> {
    for (;;) {
      const segment = segmentFor(bytes.length);
      const offset = await segment.append(bytes);
      // Sealed meanwhile by a sync that failed: these bytes need another place.
      if (segment.failure === null) return { segment: segment.name, offset };
    }
  }

  function closeDone(): void {
    for (const segment of segments.values()) {
      if (segment !== current && (segment.failure !== null || segment.clean)) segment.close();
    }
  }

  const commit = createGroupCommit(async () => {
    await Promise.all([...segments.values()].map((segment) => segment.sync()));
    void enqueue(closeDone);
  });

  return {
    append: (bytes) => enqueue(() => appendNow(bytes)),
    segment: (name) => segments.get(name),
    sync: () => commit.join(),
    lossy: () => [...segments.values()].find(({ failure, clean }) => failure !== null && !clean),
    async close() {
      await commit.idle();
      await enqueue(() => {
        for (const segment of segments.values()) segment.close();
      });
    },
  };
}
