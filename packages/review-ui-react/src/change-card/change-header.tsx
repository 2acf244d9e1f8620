import type { ReviewChange, ReviewHunk } from '@backstitch/review-core';
import type { ReactNode } from 'react';
import { useId } from 'react';
import { useLabelWriter } from '../context.ts';
import { badgesOf } from '../model/badges.ts';
import { CountsText } from '../parts/counts.tsx';
import { SafeText } from '../parts/safe-text.tsx';
import { StatusLetter } from '../parts/status-letter.tsx';
import { ToggleHeading } from '../parts/toggle-heading.tsx';
import { ChangeActions, shownReason, useChangeActions } from './change-actions.tsx';

export interface ChangeHeaderProps {
  change: ReviewChange;
  hunks: readonly ReviewHunk[] | null;
  open: boolean;
  onToggle: () => void;
  bodyId: string;
  headingLevel: number;
  /** False under a heading that names the file already. */
  showPath: boolean;
}

export function ChangeHeader(props: ChangeHeaderProps): ReactNode {
  const { change, open, onToggle, bodyId, headingLevel, showPath } = props;
  const writer = useLabelWriter();
  const can = useChangeActions(change);
  const reason = shownReason(change, can, writer);
  const reasonId = useId();
  return (
    <div data-part="review-card-header">
      <ToggleHeading level={headingLevel} open={open} onToggle={onToggle} controls={bodyId}>
        <StatusLetter status={change.status} />
        {showPath ? (
          <span data-part="review-path" dir="auto">
            <SafeText text={change.path} />
          </span>
        ) : (
          <ToolText change={change} />
        )}
      </ToggleHeading>
      <CountsText additions={change.additions} deletions={change.deletions} />
      <span data-part="review-state" data-state={change.state}>
        {writer.word(writer.labels.state, change.state)}
      </span>
      <ChangeActions change={change} can={can} reasonId={reason === null ? undefined : reasonId} />
      <ChangeFacts {...props} />
      {reason !== null && (
        <p id={reasonId} data-part="review-off-reason">
          {reason}
        </p>
      )}
    </div>
  );
}

function ToolText({ change }: { change: ReviewChange }): ReactNode {
  const writer = useLabelWriter();
  const operation = writer.word(writer.labels.operation, change.operation);
  const tool = change.toolName;
  // Most tools are named after what they do: said once.
  const text =
    tool === change.operation ? operation : writer.text(writer.labels.card.byTool, { operation, tool });
  return (
    <span data-part="review-tool">
      <SafeText text={text} />
    </span>
  );
}

/** Second line: what made the change and when, and the sides of it that lines don't show. */
function ChangeFacts({ change, hunks, showPath }: ChangeHeaderProps): ReactNode {
  const writer = useLabelWriter();
  return (
    <div data-part="review-facts">
      {showPath && <ToolText change={change} />}
      <time dateTime={change.createdAt} suppressHydrationWarning>
        {writer.dateTime(change.createdAt)}
      </time>
      {badgesOf(change, hunks, writer).map((badge) => (
        <span key={badge.kind} data-part="review-badge" data-kind={badge.kind}>
          <SafeText text={badge.text} />
        </span>
      ))}
    </div>
  );
}
