/** The reading verbs. They take no lock and decide nothing. */
import { ReviewError } from '../errors.ts';
import { hunksWithContext } from '../evidence.ts';
import { decodeUtf8 } from '../platform.ts';
import { checkHunks, isReadable } from '../record/guard.ts';
import type { ReviewChange, ReviewHunk, UnreadableRecord } from '../record/v1.ts';
import { readCursor, writeCursor } from './cursor.ts';
import type { Deps } from './deps.ts';
import type { Entry } from './fold.ts';
import { checkId } from './request.ts';
import type { Session } from './session.ts';
import { structuredCopy, unknownRecord } from './session.ts';
import type { ContextResult, ListResult } from './types.ts';

const DEFAULT_LIMIT = 200;
const MAX_LIMIT = 1000;
const MAX_GAPS = 100;

export async function list(
  deps: Deps,
  request: { sessionId: string; cursor?: string; limit?: number },
): Promise<ListResult> {
  const limit = checkLimit(request.limit);
  const session = await deps.session(checkId('sessionId', request.sessionId));
  if (session === null) return { items: [], nextCursor: null, gaps: { total: 0, items: [] } };
  await session.refresh();
  const { fold } = session;
  const cursor = request.cursor === undefined ? null : readCursor(request.cursor, session.revision);
  const from = cursor?.after ?? 0;
  // Membership is fixed at the first page: what comes later is announced by an event.
  const top = cursor?.top ?? fold.nextSeq - 1;
  const items = everything(session).filter(({ seq }) => seq > from && seq <= top);
  const page = items.slice(0, limit);
  const more = items.length > page.length;
  return {
    items: page.map(({ item }) => structuredCopy(item)),
    nextCursor: more ? writeCursor(session.revision, page.at(-1)!.seq, top) : null,
    gaps: { total: fold.gaps.length, items: structuredCopy(fold.gaps.slice(-MAX_GAPS)) },
  };
}

/** Records and unreadable ones in the order of record. Unreadable ones without a seq stand at the end. */
function everything(session: Session): { seq: number; item: ReviewChange | UnreadableRecord }[] {
  const { fold } = session;
  const last = fold.nextSeq - 1;
  const shown = [...fold.entries.values()].filter(({ change }) => change.state !== 'aborted');
  const items: { seq: number; item: ReviewChange | UnreadableRecord }[] = [
    ...shown.map(({ change }) => ({ seq: change.seq, item: change })),
    ...fold.unreadable.map((item) => ({ seq: item.seq ?? Math.max(last, 1), item })),
  ];
  return items.sort((a, b) => a.seq - b.seq);
}

function checkLimit(limit: number | undefined): number {
  if (limit === undefined) return DEFAULT_LIMIT;
  if (Number.isSafeInteger(limit) && limit >= 1) return Math.min(limit, MAX_LIMIT);
  throw new ReviewError(
    'invalidArgument',
    `'limit' must be a whole number of at least 1; it is ${String(limit)}.`,
  );
}

export async function find(
  deps: Deps,
  request: { sessionId: string; snapshotId: string },
): Promise<[Session, Entry]> {
  const snapshotId = checkId('snapshotId', request.snapshotId);
  const session = await deps.session(checkId('sessionId', request.sessionId));
  if (session === null) throw unknownRecord(request.sessionId, snapshotId);
  await session.refresh();
  return [session, session.entry(snapshotId)];
}

export async function get(
  deps: Deps,
  request: { sessionId: string; snapshotId: string },
): Promise<{ change: ReviewChange; hunks: ReviewHunk[] }> {
  const [session, entry] = await find(deps, request);
  const stored = await hunksOf(session, entry);
  const change = session.change(entry.change.id);
  if (stored.hunks !== null) return { change, hunks: stored.hunks };
  // The hunks are lost, the change is not: it says so instead of showing nothing.
  return { change: { ...change, evidence: 'unavailable' }, hunks: [] };
}

export async function context(
  deps: Deps,
  request: { sessionId: string; snapshotId: string; lines: 1 | 3 | 5 },
): Promise<ContextResult | { unavailable: string }> {
  if (![1, 3, 5].includes(request.lines)) {
    throw new ReviewError('invalidArgument', `'lines' must be 1, 3 or 5; it is ${String(request.lines)}.`);
  }
  const [session, entry] = await find(deps, request);
  const { path, evidence } = entry.change;
  if (evidence !== 'text')
    return { unavailable: `No lines were recorded for '${path}': its evidence is '${evidence}'.` };
  const stored = await hunksOf(session, entry);
  if (stored.hunks === null) return { unavailable: stored.reason };
  return { hunks: hunksWithContext(stored.hunks, request.lines) };
}

/** The stored hunks, checked: what lies in a store is input. */
export async function hunksOf(
  session: Session,
  entry: Entry,
): Promise<{ hunks: ReviewHunk[]; reason: null } | { hunks: null; reason: string }> {
  if (entry.hunksAt === null) return { hunks: [], reason: null };
  const lost = {
    hunks: null,
    reason: `The recorded lines of '${entry.change.path}' are missing or damaged.`,
  };
  const bytes = await session.store.blob(entry.hunksAt);
  if (bytes === null) return lost;
  try {
    const checked = checkHunks(JSON.parse(decodeUtf8(bytes)));
    return isReadable(checked) ? { hunks: checked.value, reason: null } : lost;
  } catch (error) {
    // Not UTF-8 or not JSON, though the digest fits: another writer's bug. One damaged record takes down no other.
    if (error instanceof SyntaxError || error instanceof TypeError) return lost;
    throw error;
  }
}
