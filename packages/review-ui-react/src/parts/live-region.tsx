import type { ReactNode } from 'react';
import { useLabelWriter } from '../context.ts';
import { useStoreValue } from '../hooks/use-store-value.ts';
import { copyText, reportText } from '../model/report-text.ts';
import { hidden } from './visually-hidden.tsx';

/** Says how the last action ended. Always in the page: a region that comes with its text is often not read. */
export function LiveRegion(): ReactNode {
  const writer = useLabelWriter();
  const notice = useStoreValue((state) => state.notice);
  return (
    <div role="status" aria-live="polite" aria-atomic="true" data-part="review-live-region" style={hidden}>
      {notice !== null && (
        <span key={notice.id}>
          {notice.kind === 'action' ? reportText(notice.report, writer) : copyText(notice.result, writer)}
        </span>
      )}
    </div>
  );
}
