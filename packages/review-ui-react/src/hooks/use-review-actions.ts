import { useMemo } from 'react';
import { useReviewContext } from '../context.ts';
import { patchOf } from '../model/patch.ts';
import type { ActionReport, CopyResult } from '../store/state.ts';

export interface ReviewActions {
  /** Marks changes reviewed. Writes no file. Null where an action on one of them already runs. */
  keep(snapshotIds: readonly string[]): Promise<ActionReport | null>;
  unkeep(snapshotIds: readonly string[]): Promise<ActionReport | null>;
  /** Writes the recorded bytes of before back, or nothing. */
  rollback(snapshotId: string): Promise<ActionReport | null>;
  /**
   * Hands `write` the recorded operations of these changes, one behind the other, as one patch text. It is not
   * a net diff: a line that was changed twice is in it twice.
   */
  copyPatch(snapshotIds: readonly string[], write: (text: string) => Promise<void>): Promise<CopyResult>;
  copyLine(text: string, write: (text: string) => Promise<void>): Promise<CopyResult>;
}

/**
 * What can be done with changes. Each call acts on the ids that it is given, whatever the list shows by the
 * time it ends; the functions are stable and hold no state of the render that they came from.
 */
export function useReviewActions(): ReviewActions {
  const { store } = useReviewContext();
  return useMemo(() => {
    async function copy(attempt: () => Promise<CopyResult>): Promise<CopyResult> {
      const result = await attempt().catch((): CopyResult => {
        // No clipboard, no permission, or the patch could not be fetched: told, never thrown at a button.
        return { copied: 'failed', leftOut: 0 };
      });
      store.tellCopied(result);
      return result;
    }
    return {
      keep: (ids) => store.run('keep', ids),
      unkeep: (ids) => store.run('unkeep', ids),
      rollback: (id) => store.run('rollback', [id]),
      copyPatch: (ids, write) =>
        copy(async () => {
          const { text, leftOut } = await patchOf(ids, store.read);
          if (text === '') return { copied: 'nothing', leftOut: 0 };
          await write(text);
          return { copied: 'patch', leftOut };
        }),
      copyLine: (text, write) =>
        copy(async () => {
          await write(text);
          return { copied: 'line', leftOut: 0 };
        }),
    };
  }, [store]);
}
