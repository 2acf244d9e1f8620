import type { RoundsResult } from '@backstitch/review-core';
import type { ReactNode } from 'react';
import { useLabelWriter } from '../context.ts';
import type { RoundSelection } from '../model/selection.ts';
import { selectedRounds, totalsOf } from '../model/selection.ts';
import { CountsText } from '../parts/counts.tsx';
import { RoundSelect } from './round-select.tsx';

export interface PanelHeaderProps {
  titleId: string;
  level: number;
  rounds: RoundsResult | null;
  selection: RoundSelection;
  onSelect: (selection: RoundSelection) => void;
}

export function PanelHeader({ titleId, level, rounds, selection, onSelect }: PanelHeaderProps): ReactNode {
  const { panel } = useLabelWriter().labels;
  return (
    <header data-part="review-panel-header">
      {/* biome-ignore lint/a11y/useSemanticElements: the level is the page's to decide */}
      <div role="heading" aria-level={level} id={titleId} data-part="review-title">
        {panel.title}
      </div>
      {rounds !== null && (
        <>
          <RoundSelect rounds={rounds} value={selection} onChange={onSelect} />
          <Totals rounds={rounds} selection={selection} />
        </>
      )}
    </header>
  );
}

function Totals({ rounds, selection }: { rounds: RoundsResult; selection: RoundSelection }): ReactNode {
  const writer = useLabelWriter();
  const { panel } = writer.labels;
  const totals = totalsOf(selectedRounds(rounds, selection));
  if (totals.changes === 0) return null;
  return (
    <div data-part="review-totals">
      <span>{writer.plural(panel.files, totals.files)}</span>
      <CountsText additions={totals.additions} deletions={totals.deletions} />
      <span data-part="review-progress" data-state={totals.reviewed === totals.changes ? 'done' : 'open'}>
        <progress aria-hidden="true" max={totals.changes} value={totals.reviewed} />
        {writer.text(panel.reviewed, { reviewed: totals.reviewed, total: totals.changes })}
      </span>
    </div>
  );
}
