import type { ReviewClient } from '@backstitch/review-rpc';
import type { StateCell } from './cell.ts';
import { failed } from './load-session.ts';
import type { Loader } from './loader.ts';
import { createLoader } from './loader.ts';
import { LOADING, withEntry } from './state.ts';

/** Hunks of so many changes are kept after their cards went off the screen. */
const KEPT_UNUSED = 50;

interface Entry {
  loader: Loader;
  users: number;
}

/**
 * The hunks of single changes, by id: fetched when a card first asks, again when the change differs, and
 * dropped when nobody shows them and newer ones need the room.
 */
export interface Details {
  /** Keeps `snapshotId` loaded until the returned function is called. */
  watch(snapshotId: string): () => void;
  retry(snapshotId: string): void;
  /** The named changes differ; all of them where none is named. */
  refresh(snapshotIds: readonly string[]): void;
  /** What is being fetched for these ids is older than what is known. */
  discard(snapshotIds: readonly string[]): void;
  stop(): void;
}

export function createDetails(cell: StateCell, client: ReviewClient, sessionId: string): Details {
  const entries = new Map<string, Entry>();

  function open(snapshotId: string): Entry {
    const loader = createLoader((isCurrent) => load(snapshotId, isCurrent));
    const entry = { loader, users: 0 };
    entries.set(snapshotId, entry);
    cell.patch({ details: withEntry(cell.get().details, snapshotId, LOADING) });
    loader.request();
    return entry;
  }

  async function load(snapshotId: string, isCurrent: () => boolean): Promise<void> {
    try {
      const { change, hunks } = await client.get({ sessionId, snapshotId });
      if (!isCurrent()) return;
      const { records, details } = cell.get();
      cell.patch({
        records: withEntry(records, snapshotId, change),
        details: withEntry(details, snapshotId, { status: 'ready', value: hunks, error: null }),
      });
    } catch (error) {
      // An unknown id, a damaged record or a broken connection: this card tells it, the others live on.
      if (!isCurrent()) return;
      const { details } = cell.get();
      const last = details.get(snapshotId) ?? LOADING;
      cell.patch({ details: withEntry(details, snapshotId, failed(last, error)) });
    }
  }

  function drop(snapshotId: string): void {
    entries.get(snapshotId)?.loader.stop();
    entries.delete(snapshotId);
    cell.patch({ details: withEntry(cell.get().details, snapshotId, undefined) });
  }

  function trim(): void {
    const unused = [...entries].filter(([, entry]) => entry.users === 0).map(([id]) => id);
    for (const id of unused.slice(0, -KEPT_UNUSED)) drop(id);
  }

  return {
    watch(snapshotId) {
      const entry = entries.get(snapshotId) ?? open(snapshotId);
      entry.users += 1;
      return () => {
        entry.users -= 1;
        trim();
      };
    },
    retry: (snapshotId) => entries.get(snapshotId)?.loader.request(),
    refresh(snapshotIds) {
      for (const id of snapshotIds.length === 0 ? [...entries.keys()] : snapshotIds) {
        const entry = entries.get(id);
        if (entry === undefined) continue;
        if (entry.users > 0) entry.loader.request();
        else drop(id);
      }
    },
    discard(snapshotIds) {
      for (const id of snapshotIds) entries.get(id)?.loader.discard();
    },
    stop() {
      for (const entry of entries.values()) entry.loader.stop();
    },
  };
}
