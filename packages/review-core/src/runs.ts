import { sha256 } from '@noble/hashes/sha2.js';
import { encodeUtf8 } from './platform.ts';
import type { ReviewHunk, RunId } from './record/v1.ts';
import { toHex } from './text/hex.ts';
import { linesOfRuns } from './text/runs.ts';

/**
 * Gives each run of a change its id: the first 32 hex digits of the SHA-256 over the JSON of
 * `[snapshotId, removed, added, k]`, with the lines' text and with k, the number of equal runs before it. The
 * id depends on what the run does and not on where it stands, so that it is the same in every context view.
 *
 * The hash is computed in this thread, since `previewChange` is synchronous.
 *
 * @param hunks all hunks of the change, in order
 * @returns new hunks with `runs` filled; what was given is left as it is
 * @since 0.1.0
 */
export function assignRuns(snapshotId: string, hunks: readonly ReviewHunk[]): ReviewHunk[] {
  const seen = new Map<string, number>();
  return hunks.map((hunk) => ({
    ...hunk,
    runs: linesOfRuns(hunk.lines).map(({ removed, added }) => {
      const key = JSON.stringify([removed, added]);
      const k = seen.get(key) ?? 0;
      seen.set(key, k + 1);
      return runId(snapshotId, removed, added, k);
    }),
  }));
}

function runId(snapshotId: string, removed: string[], added: string[], k: number): RunId {
  return toHex(sha256(encodeUtf8(JSON.stringify([snapshotId, removed, added, k])))).slice(0, 32);
}
