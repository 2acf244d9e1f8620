import type { RoundSummary, RoundsResult } from '@backstitch/review-core';
import type { ReactNode } from 'react';
import { useId } from 'react';
import { useLabelWriter } from '../context.ts';
import type { LabelWriter } from '../labels/writer.ts';
import { countsInSigns } from '../model/counts.ts';
import type { RoundSelection } from '../model/selection.ts';

export interface RoundSelectProps {
  rounds: RoundsResult;
  value: RoundSelection;
  onChange: (value: RoundSelection) => void;
}

/** A round's id is the host's and could be any text: the prefix keeps it apart from the two fixed choices. */
const BY_ID = 'id:';

/** The browser's own select: every round with its recorded totals, newest first. */
export function RoundSelect({ rounds, value, onChange }: RoundSelectProps): ReactNode {
  const writer = useLabelWriter();
  const id = useId();
  const { round: words } = writer.labels;
  const known = value.round === 'one' && rounds.rounds.some((round) => round.id === value.id);
  const shown = value.round === 'one' ? (known ? BY_ID + value.id : 'latest') : value.round;
  return (
    <span data-part="review-round">
      <label htmlFor={id}>{words.picker}</label>
      <select
        id={id}
        data-part="review-select"
        value={shown}
        onChange={(event) => onChange(selectionOf(event.target.value))}
      >
        <option value="latest">{words.latest}</option>
        <option value="all">{words.all}</option>
        {[...rounds.rounds].reverse().map((round) => (
          <option key={round.id} value={BY_ID + round.id}>
            {optionText(round, writer)}
          </option>
        ))}
      </select>
    </span>
  );
}

function selectionOf(value: string): RoundSelection {
  if (value.startsWith(BY_ID)) return { round: 'one', id: value.slice(BY_ID.length) };
  return { round: value === 'all' ? 'all' : 'latest' };
}

export function roundName(round: RoundSummary, writer: LabelWriter): string {
  const { numbered, unnumbered } = writer.labels.round;
  return round.ordinal === null
    ? writer.text(unnumbered, { id: round.id })
    : writer.text(numbered, { number: round.ordinal });
}

function optionText(round: RoundSummary, writer: LabelWriter): string {
  const { panel, round: words } = writer.labels;
  return writer.text(words.option, {
    name: roundName(round, writer),
    files: writer.plural(panel.files, round.files.length),
    counts: countsInSigns(round, writer),
  });
}
