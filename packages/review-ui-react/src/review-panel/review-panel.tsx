import type { RoundsResult } from '@backstitch/review-core';
import type { ComponentPropsWithoutRef, ForwardRefExoticComponent, ReactNode, RefAttributes } from 'react';
import { forwardRef, useId } from 'react';
import { useLabelWriter } from '../context.ts';
import { useReviewList } from '../hooks/use-review-list.ts';
import { useReviewRounds } from '../hooks/use-review-rounds.ts';
import { useStoreValue } from '../hooks/use-store-value.ts';
import type { RoundSelection } from '../model/selection.ts';
import { selectedRounds } from '../model/selection.ts';
import { SafeText } from '../parts/safe-text.tsx';
import type { ReviewListing } from '../store/state.ts';
import { Coverage } from './coverage.tsx';
import { PanelHeader } from './panel-header.tsx';
import { RevealContext } from './reveal.ts';
import { RoundFiles } from './round-files.tsx';
import { useRoundSelection } from './use-round-selection.ts';

export interface ReviewPanelProps extends Omit<ComponentPropsWithoutRef<'section'>, 'children'> {
  /** Which rounds are shown; leave it out and the panel keeps that by itself, from the latest on. */
  round?: RoundSelection;
  defaultRound?: RoundSelection;
  onRoundChange?: (round: RoundSelection) => void;
  /** How many files show their diff at first; the others open at a press. Default 12. */
  openFiles?: number;
  /** Of the panel's title; files are one below, single changes two. Default 2. */
  headingLevel?: number;
}

/**
 * The whole review of a session: rounds, files, changes, what can be done, and what is not covered.
 *
 * @since 0.1.0
 */
export const ReviewPanel: ForwardRefExoticComponent<ReviewPanelProps & RefAttributes<HTMLElement>> =
  forwardRef<HTMLElement, ReviewPanelProps>(function ReviewPanel(props, ref) {
    const { round, defaultRound, onRoundChange, openFiles = 12, headingLevel = 2, ...rest } = props;
    const list = useReviewList();
    const rounds = useReviewRounds();
    const connection = useStoreValue((state) => state.connection);
    const { selection, select, reveal, bodyRef } = useRoundSelection({
      given: round,
      initial: defaultRound,
      onChange: onRoundChange,
      rounds: rounds.value,
    });
    const titleId = useId();
    const ready = list.value !== null && rounds.value !== null;
    const error = list.error ?? rounds.error;
    return (
      <section
        ref={ref}
        data-part="review-panel"
        data-state={ready ? 'ready' : error === null ? 'loading' : 'error'}
        data-connection={connection}
        aria-labelledby={titleId}
        aria-busy={!ready && error === null}
        {...rest}
      >
        <PanelHeader
          titleId={titleId}
          level={headingLevel}
          rounds={rounds.value}
          selection={selection}
          onSelect={select}
        />
        <Banners connection={connection} error={error} onRetry={list.refresh} />
        <div ref={bodyRef} data-part="review-panel-body">
          {ready ? (
            <RevealContext.Provider value={reveal}>
              <PanelBody
                rounds={rounds.value!}
                listing={list.value!}
                selection={selection}
                openFiles={openFiles}
                headingLevel={headingLevel + 1}
              />
            </RevealContext.Provider>
          ) : (
            error === null && <Loading />
          )}
        </div>
      </section>
    );
  });

function Loading(): ReactNode {
  return (
    <p data-part="review-remark" data-state="loading">
      {useLabelWriter().labels.panel.loading}
    </p>
  );
}

function Banners(props: {
  connection: 'open' | 'closed';
  error: string | null;
  onRetry: () => void;
}): ReactNode {
  const writer = useLabelWriter();
  const { panel } = writer.labels;
  return (
    <div role="status" data-part="review-banners">
      {props.connection === 'closed' && (
        <p data-part="review-banner" data-state="disconnected">
          {panel.disconnected}
        </p>
      )}
      {props.connection === 'open' && props.error !== null && (
        <p data-part="review-banner" data-state="error">
          <SafeText text={writer.text(panel.failed, { reason: props.error })} />{' '}
          <button type="button" data-part="review-button" data-action="retry" onClick={props.onRetry}>
            {panel.retry}
          </button>
        </p>
      )}
    </div>
  );
}

interface PanelBodyProps {
  rounds: RoundsResult;
  listing: ReviewListing;
  selection: RoundSelection;
  openFiles: number;
  headingLevel: number;
}

function PanelBody({ rounds, listing, selection, openFiles, headingLevel }: PanelBodyProps): ReactNode {
  const { panel } = useLabelWriter().labels;
  const shown = selectedRounds(rounds, selection);
  const empty = shown.every((round) => round.files.length === 0);
  return (
    <>
      {empty && <p data-part="review-empty">{rounds.latest === null ? panel.empty : panel.emptyRound}</p>}
      <RoundFiles
        rounds={shown}
        titled={selection.round === 'all'}
        openFiles={openFiles}
        headingLevel={headingLevel}
      />
      <Coverage listing={listing} empty={empty} />
    </>
  );
}
