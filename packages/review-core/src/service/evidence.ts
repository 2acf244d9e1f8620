/** What a capture found in the end, turned into the event that commits it. */
import { encodeUtf8 } from '../platform.ts';
import type { Locator } from '../ports/store.ts';
import type { Seen } from '../ports/workspace.ts';
import type { Preview } from '../preview.ts';
import { facetsOf, previewChange } from '../preview.ts';
import type { FileState, ReviewHunk } from '../record/v1.ts';
import { assignRuns } from '../runs.ts';
import type { Deps } from './deps.ts';
import type { CommittedEvent } from './events.ts';
import type { Entry } from './fold.ts';
import { sameContent } from './fold.ts';
import type { Session, Transaction } from './session.ts';

/** One side: what stood there, and its bytes where they are at hand. */
export interface Side {
  state: FileState | null;
  bytes: Uint8Array | null;
  /** Why there are no bytes, where something stood there. */
  lost: 'tooLarge' | 'missingSnapshot' | null;
}

export const ABSENT: Side = { state: null, bytes: null, lost: null };

/** Null for what can't be a side of a change (a directory, a device). */
export function sideOf(seen: Seen): Side | null {
  if (seen.at === 'absent') return ABSENT;
  if (seen.at === 'unsupported') return null;
  return { state: seen.state, bytes: seen.bytes, lost: seen.bytes === null ? 'tooLarge' : null };
}

/** The recorded before of a begun capture, from the store. */
export async function storedBefore(session: Session, entry: Entry): Promise<Side> {
  if (entry.change.before === null) return ABSENT;
  if (entry.beforeAt === null) return { state: entry.change.before, bytes: null, lost: 'tooLarge' };
  const bytes = await session.store.blob(entry.beforeAt);
  return { state: entry.change.before, bytes, lost: bytes === null ? 'missingSnapshot' : null };
}

export function isUnchanged(before: FileState | null, after: FileState | null): boolean {
  return sameContent(before, after) && before?.mode === after?.mode;
}

export interface Finding {
  before: Side;
  after: Side;
  source: 'written' | 'observed';
  failed: boolean;
}

export interface Committable {
  event: Omit<CommittedEvent, 'afterAt' | 'hunksAt'>;
  /** The bytes of the after, where they are to be stored. */
  after: { digest: string; bytes: Uint8Array } | null;
  hunks: { digest: string; bytes: Uint8Array } | null;
}

/** Everything that costs time (diff, digests), before any lock of the session is taken. */
export async function prepareCommit(deps: Deps, id: string, finding: Finding): Promise<Committable> {
  const { before, after } = finding;
  const preview = previewOf(deps, before, after);
  const hunks = assignRuns(id, preview.hunks);
  return {
    event: {
      t: 'committed',
      id,
      status: before.state === null ? 'added' : after.state === null ? 'deleted' : 'modified',
      failed: finding.failed,
      after: after.state,
      afterSource: finding.source,
      evidence: preview.evidence,
      additions: preview.additions,
      deletions: preview.deletions,
      facets: facetsOf(before.state, after.state, preview.facets),
      coverage: 'complete',
      // Either side's bytes are needed: one to be put back, the other to be kept when it is displaced.
      reason: before.lost ?? after.lost,
    },
    after:
      after.state !== null && after.bytes !== null
        ? { digest: after.state.digest, bytes: after.bytes }
        : null,
    hunks: await encodeHunks(deps, hunks),
  };
}

/** Stores the bytes and appends the event, in one write of the session. */
export async function appendCommit(tx: Transaction, commit: Committable): Promise<void> {
  const at = async (blob: { digest: string; bytes: Uint8Array } | null): Promise<Locator | null> =>
    blob === null ? null : tx.put(blob.digest, blob.bytes);
  const afterAt = await at(commit.after);
  const hunksAt = await at(commit.hunks);
  await tx.append([{ ...commit.event, afterAt, hunksAt }]);
}

function previewOf(deps: Deps, before: Side, after: Side): Preview {
  const lost = before.lost ?? after.lost;
  if (lost === null) return previewChange(before.bytes, after.bytes, deps.limits);
  const evidence = lost === 'tooLarge' ? 'tooLarge' : 'unavailable';
  const facets = sameContent(before.state, after.state) ? [] : (['content'] as const);
  return { evidence, additions: null, deletions: null, hunks: [], facets: [...facets] };
}

async function encodeHunks(deps: Deps, hunks: ReviewHunk[]): Promise<Committable['hunks']> {
  if (hunks.length === 0) return null;
  const bytes = encodeUtf8(JSON.stringify(hunks));
  return { digest: await deps.environment.digest(bytes), bytes };
}
