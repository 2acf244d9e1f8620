import type { ReactNode } from 'react';
import { useLabelWriter } from '../context.ts';
import type { Counts } from '../model/counts.ts';
import { countsInWords } from '../model/counts.ts';
import { VisuallyHidden } from './visually-hidden.tsx';

/** `+12 −3`, or "unknown": shown as signs, spoken as words. */
export function CountsText({ additions, deletions }: Counts): ReactNode {
  const writer = useLabelWriter();
  const { counts } = writer.labels;
  const known = additions !== null && deletions !== null;
  return (
    <span data-part="review-counts" data-state={known ? 'known' : 'unknown'}>
      <VisuallyHidden>{countsInWords({ additions, deletions }, writer)}</VisuallyHidden>
      <span aria-hidden="true">
        {known ? (
          <>
            <span data-part="review-additions">{writer.text(counts.added, { count: additions })}</span>{' '}
            <span data-part="review-deletions">{writer.text(counts.deleted, { count: deletions })}</span>
          </>
        ) : (
          counts.unknown
        )}
      </span>
    </span>
  );
}
