import type { ReactNode } from 'react';
import { useLabelWriter } from '../context.ts';
import { piecesOf } from '../model/line-text.ts';

/** Text of a record as text nodes only, with characters that can't be seen, or that mislead, named. */
export function SafeText({ text }: { text: string }): ReactNode {
  const { token: names } = useLabelWriter().labels.hunk;
  return piecesOf(text).map((piece, index) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other identity, and no state
      <span key={index} data-part="review-token" data-token={piece.token} title={names[piece.token]}>
        {piece.text}
      </span>
    ),
  );
}
