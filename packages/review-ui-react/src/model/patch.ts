import type { ReviewChange, ReviewHunk } from '@backstitch/review-core';
import { toUnifiedPatch } from '@backstitch/review-core/evidence';
import type { ReviewStore } from '../store/review-store.ts';

/** The recorded operations in the order of record, as one patch text. Those without a text diff are counted. */
export async function patchOf(
  snapshotIds: readonly string[],
  read: ReviewStore['read'],
): Promise<{ text: string; leftOut: number }> {
  const parts: { change: ReviewChange; hunks: readonly ReviewHunk[] }[] = [];
  for (const id of snapshotIds) parts.push(await read(id));
  parts.sort((a, b) => a.change.seq - b.change.seq);
  const texts = parts.map(({ change, hunks }) =>
    change.evidence === 'text' ? toUnifiedPatch(change, [...hunks]) : '',
  );
  return { text: texts.join(''), leftOut: texts.filter((text) => text === '').length };
}
