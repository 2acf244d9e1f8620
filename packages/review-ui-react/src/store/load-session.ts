import type { ReviewChange } from '@backstitch/review-core';
import type { ReviewClient } from '@backstitch/review-rpc';
import type { StateCell } from './cell.ts';
import type { IsCurrent } from './loader.ts';
import type { Loaded, ReviewListing } from './state.ts';
import { messageOf } from './state.ts';

/** Records a page; the host may answer with fewer. */
const PAGE = 200;

export function loadList(cell: StateCell, client: ReviewClient, sessionId: string) {
  return async (isCurrent: IsCurrent): Promise<void> => {
    const before = cell.get().list;
    if (before.status !== 'ready') cell.patch({ list: { ...before, status: 'loading' } });
    try {
      const listing = await readPages(client, sessionId);
      if (!isCurrent()) return;
      cell.patch({
        list: { status: 'ready', value: listing, error: null },
        records: recordsOf(cell, listing),
      });
    } catch (error) {
      // The host refused or the connection broke: the last list stays, and the reason is told.
      if (isCurrent()) cell.patch({ list: failed(cell.get().list, error) });
    }
  };
}

async function readPages(client: ReviewClient, sessionId: string): Promise<ReviewListing> {
  const items: ReviewListing['items'][number][] = [];
  let cursor: string | null = null;
  for (;;) {
    const page = await client.list({ sessionId, limit: PAGE, ...(cursor === null ? {} : { cursor }) });
    items.push(...page.items);
    if (page.nextCursor === null || page.nextCursor === cursor) return { items, gaps: page.gaps };
    cursor = page.nextCursor;
  }
}

/** The list says which records there are; those that a card asked for by id stay known too. */
function recordsOf(cell: StateCell, listing: ReviewListing): ReadonlyMap<string, ReviewChange> {
  const { records, details } = cell.get();
  const next = new Map<string, ReviewChange>();
  for (const [id, record] of records) if (details.has(id)) next.set(id, record);
  for (const item of listing.items) if (!('unreadable' in item)) next.set(item.id, item);
  return next;
}

export function loadRounds(cell: StateCell, client: ReviewClient, sessionId: string) {
  return async (isCurrent: IsCurrent): Promise<void> => {
    const before = cell.get().rounds;
    if (before.status !== 'ready') cell.patch({ rounds: { ...before, status: 'loading' } });
    try {
      const value = await client.rounds({ sessionId });
      if (isCurrent()) cell.patch({ rounds: { status: 'ready', value, error: null } });
    } catch (error) {
      // As above: the last rounds stay.
      if (isCurrent()) cell.patch({ rounds: failed(cell.get().rounds, error) });
    }
  };
}

/** What this connection may do, so that nothing is offered that would be refused. */
export function loadMethods(cell: StateCell, client: ReviewClient) {
  return async (isCurrent: IsCurrent): Promise<void> => {
    try {
      const { methods } = await client.discover();
      if (isCurrent()) cell.patch({ methods });
    } catch {
      // No answer, or a host that does not tell: actions stay on, and the host refuses what it must.
      if (isCurrent()) cell.patch({ methods: null });
    }
  };
}

export function failed<T>(last: Loaded<T>, error: unknown): Loaded<T> {
  return { status: 'error', value: last.value, error: messageOf(error) };
}
