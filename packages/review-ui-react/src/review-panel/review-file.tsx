import type { RoundFile } from '@backstitch/review-core';
import type { ReactNode } from 'react';
import { useId, useState } from 'react';
import { ReviewChangeCard } from '../change-card/change-card.tsx';
import { useLabelWriter } from '../context.ts';
import { useReviewActions } from '../hooks/use-review-actions.ts';
import { clipboardOf } from '../parts/clipboard.ts';
import { CountsText } from '../parts/counts.tsx';
import { ErrorBoundary } from '../parts/error-boundary.tsx';
import { SafeText } from '../parts/safe-text.tsx';
import { ToggleHeading } from '../parts/toggle-heading.tsx';

export interface ReviewFileProps {
  file: RoundFile;
  defaultOpen: boolean;
  headingLevel: number;
}

/**
 * One file of a round. With one change it is that change's card; with several, they follow each other under one
 * heading in the order of record, hunks continuous, with one footer for all of them.
 */
export function ReviewFile(props: ReviewFileProps): ReactNode {
  const { file, defaultOpen, headingLevel } = props;
  const writer = useLabelWriter();
  const only = file.snapshotIds.length === 1 ? file.snapshotIds[0] : undefined;
  return (
    <li data-part="review-file" data-changes={file.snapshotIds.length}>
      <ErrorBoundary
        resetKey={file}
        fallback={(reason, retry) => (
          <p data-part="review-remark" data-state="error">
            <SafeText text={writer.text(writer.labels.panel.brokenFile, { path: file.path, reason })} />{' '}
            <button type="button" data-part="review-button" data-action="retry" onClick={retry}>
              {writer.labels.panel.retry}
            </button>
          </p>
        )}
      >
        {only === undefined ? (
          <FileOfMany {...props} />
        ) : (
          <ReviewChangeCard
            key={only}
            snapshotId={only}
            defaultOpen={defaultOpen}
            headingLevel={headingLevel}
          />
        )}
      </ErrorBoundary>
    </li>
  );
}

function FileOfMany({ file, defaultOpen, headingLevel }: ReviewFileProps): ReactNode {
  const writer = useLabelWriter();
  const [open, setOpen] = useState(defaultOpen);
  const bodyId = useId();
  return (
    <div data-part="review-group" data-open={open}>
      <div data-part="review-group-header">
        <ToggleHeading level={headingLevel} open={open} onToggle={() => setOpen(!open)} controls={bodyId}>
          <span data-part="review-path" dir="auto">
            <SafeText text={file.path} />
          </span>
        </ToggleHeading>
        <CountsText additions={file.additions} deletions={file.deletions} />
        <span data-part="review-count">
          {writer.plural(writer.labels.panel.changes, file.snapshotIds.length)}
        </span>
      </div>
      {open && (
        <div id={bodyId} data-part="review-group-body">
          {file.snapshotIds.map((id) => (
            <ReviewChangeCard
              key={id}
              snapshotId={id}
              defaultOpen
              showPath={false}
              headingLevel={headingLevel + 1}
            />
          ))}
          <FileFooter file={file} />
        </div>
      )}
    </div>
  );
}

function FileFooter({ file }: { file: RoundFile }): ReactNode {
  const writer = useLabelWriter();
  const actions = useReviewActions();
  const { action } = writer.labels;
  return (
    <div data-part="review-file-footer">
      <button
        type="button"
        data-part="review-button"
        data-action="copyAll"
        aria-label={writer.text(action.on, { action: action.copyAll, path: file.path })}
        onClick={(event) => void actions.copyPatch(file.snapshotIds, clipboardOf(event.currentTarget))}
      >
        {action.copyAll}
      </button>
    </div>
  );
}
