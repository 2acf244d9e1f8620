/**
 * Who holds a lock: plain JSON, enough to prove later that its process is dead. What can't be told on a system is
 * null, and null proves nothing.
 *
 * @since 0.1.0
 */
export type OwnerRecord = {
  v: 1;
  pid: number;
  thread: number;
  /** When the process began, in whatever unit its system counts. Only compared for equality. */
  start: string | null;
  /** Names one start of a kernel. */
  bootId: string | null;
  pidNamespace: string | null;
  /** `start` is counted from another zero in another time namespace. */
  timeNamespace: string | null;
  /** Names one machine (a hash, no name of it). */
  hostId: string | null;
  /** Tells two providers in one process apart. */
  nonce: string;
  app: string | null;
};

const TEXT_OR_NULL = ['start', 'bootId', 'pidNamespace', 'timeNamespace', 'hostId', 'app'] as const;

/** The record if it is one; null for anything else. Members that are not known here are dropped. */
export function parseOwner(value: unknown): OwnerRecord | null {
  if (typeof value !== 'object' || value === null) return null;
  const record = value as Record<string, unknown>;
  if (record.v !== 1 || typeof record.nonce !== 'string') return null;
  if (!isCount(record.pid) || record.pid === 0 || !isCount(record.thread)) return null;
  const texts: Partial<Record<(typeof TEXT_OR_NULL)[number], string | null>> = {};
  for (const name of TEXT_OR_NULL) {
    const text = record[name];
    if (text !== null && typeof text !== 'string') return null;
    texts[name] = text;
  }
  const { pid, thread, nonce } = record;
  return { v: 1, pid, thread, nonce, ...(texts as Required<typeof texts>) };
}

/** The record that is the content of a lock file; null where the bytes are no such record. */
export function readOwner(bytes: Uint8Array): OwnerRecord | null {
  try {
    return parseOwner(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch (error) {
    // Torn or NUL-filled by a power cut: a lock file is never synced.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
