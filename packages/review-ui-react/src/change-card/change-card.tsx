import type { ReviewChange } from '@backstitch/review-core';
import type { ComponentPropsWithoutRef, ForwardRefExoticComponent, ReactNode, RefAttributes } from 'react';
import { forwardRef, useId, useState } from 'react';
import { ConflictNotice } from '../conflict-notice/conflict-notice.tsx';
import { useLabelWriter } from '../context.ts';
import type { ReviewChangeResult } from '../hooks/use-review-change.ts';
import { useReviewChange } from '../hooks/use-review-change.ts';
import { reportParts } from '../model/report-text.ts';
import { ChangeBody } from './change-body.tsx';
import { ChangeHeader } from './change-header.tsx';

export interface ReviewChangeCardProps extends Omit<ComponentPropsWithoutRef<'article'>, 'children'> {
  snapshotId: string;
  /** Whether the diff is shown; leave it out and the card keeps that by itself. */
  open?: boolean;
  defaultOpen?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** False where a heading above names the file already. Default true. */
  showPath?: boolean;
  /** Default 3. */
  headingLevel?: number;
}

/**
 * One recorded change: what happened to which file, its diff, and what can be done about it.
 *
 * @since 0.1.0
 */
export const ReviewChangeCard: ForwardRefExoticComponent<ReviewChangeCardProps & RefAttributes<HTMLElement>> =
  forwardRef<HTMLElement, ReviewChangeCardProps>(function ReviewChangeCard(props, ref) {
    const {
      snapshotId,
      open: givenOpen,
      defaultOpen = false,
      onOpenChange,
      showPath = true,
      headingLevel = 3,
      ...rest
    } = props;
    const [ownOpen, setOwnOpen] = useState(defaultOpen);
    const open = givenOpen ?? ownOpen;
    const result = useReviewChange(snapshotId, { hunks: open });
    const { change, running } = result;
    const bodyId = useId();

    function toggle(): void {
      setOwnOpen(!open);
      onOpenChange?.(!open);
    }

    return (
      <article
        ref={ref}
        data-part="review-card"
        data-snapshot-id={snapshotId}
        data-state={change?.state ?? result.status}
        data-status={change?.status}
        data-open={open}
        aria-busy={running !== null || change === null}
        {...rest}
      >
        {change === null ? (
          <Missing result={result} />
        ) : (
          <>
            <ChangeHeader
              {...{ change, open, bodyId, headingLevel, showPath }}
              hunks={result.hunks}
              onToggle={toggle}
            />
            <Report result={result} />
            {open && <Body id={bodyId} change={change} result={result} />}
          </>
        )}
      </article>
    );
  });

function Body({
  id,
  change,
  result,
}: {
  id: string;
  change: ReviewChange;
  result: ReviewChangeResult;
}): ReactNode {
  return (
    <div id={id} data-part="review-card-body">
      <ChangeBody change={change} hunks={result.hunks} error={result.error} onRetry={result.retry} />
    </div>
  );
}

/** What went as asked shows in the card itself; a notice would only be in the way. */
function Report({ result }: { result: ReviewChangeResult }): ReactNode {
  const writer = useLabelWriter();
  const { report, dismissReport } = result;
  if (report === null || reportParts(report, writer).tone === 'good') return null;
  return <ConflictNotice report={report} onDismiss={dismissReport} />;
}

function Missing({ result }: { result: ReviewChangeResult }): ReactNode {
  const writer = useLabelWriter();
  const { card, panel } = writer.labels;
  if (result.status === 'loading') {
    return (
      <p data-part="review-remark" data-state="loading">
        {card.loading}
      </p>
    );
  }
  return (
    <p data-part="review-remark" data-state="error">
      {writer.text(card.failed, { reason: result.error ?? '' })}{' '}
      <button type="button" data-part="review-button" data-action="retry" onClick={result.retry}>
        {panel.retry}
      </button>
    </p>
  );
}
