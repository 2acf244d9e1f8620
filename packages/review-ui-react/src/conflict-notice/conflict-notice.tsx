import type { ComponentPropsWithoutRef, ForwardRefExoticComponent, RefAttributes } from 'react';
import { forwardRef } from 'react';
import { useLabelWriter } from '../context.ts';
import { reportParts } from '../model/report-text.ts';
import { SafeText } from '../parts/safe-text.tsx';
import { useReveal } from '../review-panel/reveal.ts';
import type { ActionReport } from '../store/state.ts';

export interface ConflictNoticeProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** Of any action: a conflict, but also a refusal, a failure, or an answer that never came. */
  report: ActionReport;
  onDismiss?: () => void;
}

/**
 * How an action ended where it did not do what was asked: what happened to the file, and what to do next. It is
 * announced by the provider's live region, not by this element.
 *
 * @since 0.1.0
 */
export const ConflictNotice: ForwardRefExoticComponent<ConflictNoticeProps & RefAttributes<HTMLDivElement>> =
  forwardRef<HTMLDivElement, ConflictNoticeProps>(function ConflictNotice(
    { report, onDismiss, ...rest },
    ref,
  ) {
    const writer = useLabelWriter();
    const reveal = useReveal();
    const { action } = writer.labels;
    const { tone, title, what, next, code } = reportParts(report, writer);
    const later = report.outcome?.laterChange ?? null;
    return (
      <div
        ref={ref}
        data-part="review-notice"
        data-state={tone}
        data-outcome={report.outcome?.status ?? 'error'}
        data-reason={report.outcome?.reason ?? undefined}
        {...rest}
      >
        <div data-part="review-notice-text">
          {title !== null && <strong data-part="review-notice-title">{title}</strong>}
          <p>
            <SafeText text={what} />
          </p>
          {next !== null && (
            <p data-part="review-notice-next">
              <SafeText text={next} />
            </p>
          )}
          {code !== null && <p data-part="review-notice-code">{code}</p>}
        </div>
        <div data-part="review-notice-actions">
          {later !== null && reveal !== null && (
            <button
              type="button"
              data-part="review-button"
              data-action="showLater"
              onClick={() => reveal(later)}
            >
              {action.showLater}
            </button>
          )}
          {onDismiss !== undefined && (
            <button type="button" data-part="review-button" data-action="dismiss" onClick={onDismiss}>
              {action.dismiss}
            </button>
          )}
        </div>
      </div>
    );
  });
