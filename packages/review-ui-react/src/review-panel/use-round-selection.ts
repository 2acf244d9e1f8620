import type { RoundsResult } from '@backstitch/review-core';
import type { RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';
import type { RoundSelection } from '../model/selection.ts';
import { LATEST, roundOf, selectedRounds } from '../model/selection.ts';
import type { Reveal } from './reveal.ts';

export interface RoundSelectionOptions {
  given: RoundSelection | undefined;
  initial: RoundSelection | undefined;
  onChange: ((selection: RoundSelection) => void) | undefined;
  rounds: RoundsResult | null;
}

export interface RoundSelectionState {
  selection: RoundSelection;
  select: (selection: RoundSelection) => void;
  reveal: Reveal;
  /** The element that holds the cards. */
  bodyRef: RefObject<HTMLDivElement | null>;
}

/** Which rounds are shown, and the way to one change wherever it is. */
export function useRoundSelection(options: RoundSelectionOptions): RoundSelectionState {
  const { given, initial = LATEST, onChange, rounds } = options;
  const [own, setOwn] = useState(initial);
  const selection = given ?? own;
  const bodyRef = useRef<HTMLDivElement>(null);
  // A new object at each press, so that revealing the same change twice moves there twice.
  const [target, setTarget] = useState<{ snapshotId: string } | null>(null);

  function select(next: RoundSelection): void {
    setOwn(next);
    onChange?.(next);
  }

  function reveal(snapshotId: string): void {
    const round = rounds === null ? undefined : roundOf(rounds, snapshotId);
    if (rounds === null || round === undefined) return;
    if (!selectedRounds(rounds, selection).includes(round)) select({ round: 'one', id: round.id });
    setTarget({ snapshotId });
  }

  useEffect(() => {
    if (target !== null) focusCard(bodyRef.current, target.snapshotId);
  }, [target]);

  return { selection, select, reveal, bodyRef };
}

function focusCard(body: HTMLElement | null, snapshotId: string): void {
  for (const card of body?.querySelectorAll<HTMLElement>('[data-part="review-card"]') ?? []) {
    if (card.dataset.snapshotId !== snapshotId) continue;
    card.querySelector<HTMLElement>('[data-part="review-toggle"]')?.focus({ preventScroll: true });
    card.scrollIntoView({ block: 'start' });
  }
}
