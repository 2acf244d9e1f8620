import type { ReviewChange, ReviewHunk } from '@backstitch/review-core';
import type { ReactNode } from 'react';
import { useId, useState } from 'react';
import { useLabelWriter } from '../context.ts';
import { HunkView } from '../hunk-view/hunk-view.tsx';
import type { ContextLines } from '../model/hunk-rows.ts';
import { ErrorBoundary } from '../parts/error-boundary.tsx';

export interface ChangeBodyProps {
  change: ReviewChange;
  hunks: readonly ReviewHunk[] | null;
  error: string | null;
  onRetry: () => void;
}

/** The diff, or why there is none. */
export function ChangeBody({ change, hunks, error, onRetry }: ChangeBodyProps): ReactNode {
  const writer = useLabelWriter();
  const { card, evidence, panel } = writer.labels;
  if (change.evidence !== 'text') return <Remark>{writer.word(evidence, change.evidence)}</Remark>;
  if (hunks === null && error !== null) {
    return (
      <Remark state="error">
        {writer.text(card.failed, { reason: error })}{' '}
        <button type="button" data-part="review-button" data-action="retry" onClick={onRetry}>
          {panel.retry}
        </button>
      </Remark>
    );
  }
  if (hunks === null) return <Remark state="loading">{card.loading}</Remark>;
  if (hunks.length === 0) return <Remark>{card.noTextChange}</Remark>;
  return <Diff path={change.path} hunks={hunks} />;
}

function Remark({ state, children }: { state?: 'error' | 'loading'; children: ReactNode }): ReactNode {
  return (
    <p data-part="review-remark" data-state={state}>
      {children}
    </p>
  );
}

function Diff({ path, hunks }: { path: string; hunks: readonly ReviewHunk[] }): ReactNode {
  const writer = useLabelWriter();
  const { hunk } = writer.labels;
  const [context, setContext] = useState<ContextLines>(3);
  const broken = writer.text(hunk.unavailable, { reason: hunk.malformed.view });
  return (
    <>
      <ContextSwitch value={context} onChange={setContext} />
      <ErrorBoundary resetKey={hunks} fallback={() => <Remark state="error">{broken}</Remark>}>
        <HunkView hunks={hunks} path={path} context={context} />
      </ErrorBoundary>
    </>
  );
}

const CHOICES: readonly ContextLines[] = [1, 3, 5];

function ContextSwitch(props: { value: ContextLines; onChange: (value: ContextLines) => void }): ReactNode {
  const writer = useLabelWriter();
  const { hunk } = writer.labels;
  const id = useId();
  return (
    <div data-part="review-context">
      <label htmlFor={id}>{hunk.context}</label>
      <select
        id={id}
        data-part="review-select"
        value={props.value}
        onChange={(event) => props.onChange(CHOICES.find((n) => String(n) === event.target.value) ?? 3)}
      >
        {CHOICES.map((lines) => (
          <option key={lines} value={lines}>
            {writer.plural(hunk.contextOption, lines)}
          </option>
        ))}
      </select>
    </div>
  );
}
