import { useVirtualizer } from '@tanstack/react-virtual';
import type { ReactNode } from 'react';
import { useRef } from 'react';
import type { DiffRow } from '../model/hunk-rows.ts';
import { DiffRowView } from './diff-row.tsx';

/** Pixels: what is drawn on a server, and before the area is measured. */
const FIRST_HEIGHT = 480;
/** Rows above and below what is seen. */
const OVERSCAN = 4;

export interface LongDiffProps {
  rows: readonly DiffRow[];
  label: string;
  header: ReactNode;
  /** Pixels. Every row has it: lines don't wrap. */
  rowHeight: number;
}

/** Draws the rows in view only. */
export function LongDiff({ rows, label, header, rowHeight }: LongDiffProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    initialRect: { width: 0, height: FIRST_HEIGHT },
  });
  return (
    <div
      role="group"
      ref={scroller}
      data-part="review-scroll"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too
      tabIndex={0}
      aria-label={label}
      style={{ overflow: 'auto', maxHeight: FIRST_HEIGHT }}
    >
      <div role="table" aria-label={label} aria-rowcount={rows.length + 1} data-part="review-table">
        {header}
        <div
          role="rowgroup"
          data-part="review-rows"
          style={{ position: 'relative', height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map((item) => (
            <DiffRowView
              key={item.index}
              row={rows[item.index]!}
              rowIndex={item.index + 2}
              style={{ position: 'absolute', top: item.start, left: 0, right: 0, height: rowHeight }}
            />
          ))}
        </div>
      </div>
    </div>
  );
}
