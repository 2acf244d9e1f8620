import type { ChangeStatus } from '@backstitch/review-core';
import type { ReactNode } from 'react';
import { useLabelWriter } from '../context.ts';
import { VisuallyHidden } from './visually-hidden.tsx';

/** The letter for the eye, the word for the ear. */
export function StatusLetter({ status }: { status: ChangeStatus }): ReactNode {
  const known: Readonly<Record<string, { letter: string; word: string }>> = useLabelWriter().labels.status;
  // A newer host may send a status that this version has no letter for.
  const { letter, word } = known[status] ?? { letter: '?', word: status };
  return (
    <>
      <span aria-hidden="true" data-part="review-status" data-status={status} title={word}>
        {letter}
      </span>
      <VisuallyHidden>{word} </VisuallyHidden>
    </>
  );
}
