/** What an adapter can promise on this machine. Closed keys; `why` says what is missing and what it costs. */
export interface Capability {
  level: 'full' | 'weaker' | 'none';
  why?: string;
}

export const CAPABILITY_KEYS = [
  'handleWalk',
  'dirFsync',
  'hardLinks',
  'ownerProof',
  'modes',
  'caseSensitive',
  'watch',
  'afterBytes',
] as const;
export type CapabilityKey = (typeof CAPABILITY_KEYS)[number];

/** A key that is absent is not this adapter's to promise. */
export type Capabilities = Partial<Record<CapabilityKey, Capability>>;

/** Who holds a lock, as far as it can be told. */
export interface LockHolder {
  pid: number | null;
  app: string | null;
  hostId: string | null;
  generation: number | null;
}

/** Somebody else holds the lock, and held it for the whole bounded wait. */
export interface Busy {
  busy: true;
  what: 'session' | 'path' | 'transcript';
  path: string | null;
  holder: LockHolder | null;
}

export function isBusy(value: unknown): value is Busy {
  return typeof value === 'object' && value !== null && (value as { busy?: unknown }).busy === true;
}
