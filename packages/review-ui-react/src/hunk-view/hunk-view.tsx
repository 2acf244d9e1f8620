import type { ReviewHunk } from '@backstitch/review-core';
import type {
  ComponentPropsWithoutRef,
  CSSProperties,
  ForwardRefExoticComponent,
  ReactNode,
  RefAttributes,
} from 'react';
import { forwardRef, useMemo } from 'react';
import { useLabelWriter } from '../context.ts';
import type { ContextLines, DiffRow } from '../model/hunk-rows.ts';
import { diffRows } from '../model/hunk-rows.ts';
import { columnsOf } from '../model/line-text.ts';
import { hidden } from '../parts/visually-hidden.tsx';
import { DiffRowView } from './diff-row.tsx';
import { LongDiff } from './long-diff.tsx';

/** Up to here all rows are drawn: the page can be searched and printed. Above, those in view only. */
const DRAW_ALL = 120;
const TAB_SIZE = 4;
/** Pixels. In step with the stylesheet through `--review-row-height`. */
const ROW_HEIGHT = 20;

export interface HunkViewProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children' | 'role'> {
  /** As stored: with 5 lines of context. A hunk that does not hold together is told in its place. */
  hunks: readonly ReviewHunk[];
  /** Names the diff for screen readers. */
  path: string;
  /** Lines of context to show. Default 3. */
  context?: ContextLines;
}

/**
 * A unified diff as a table. Long ones scroll inside their own area and hold only the rows in view; the counts
 * and indices of the whole are told to screen readers.
 *
 * @since 0.1.0
 */
export const HunkView: ForwardRefExoticComponent<HunkViewProps & RefAttributes<HTMLDivElement>> = forwardRef<
  HTMLDivElement,
  HunkViewProps
>(function HunkView({ hunks, path, context = 3, style, ...rest }, ref) {
  const writer = useLabelWriter();
  const rows = useMemo(() => diffRows(hunks, context), [hunks, context]);
  const measures = useMemo(() => measuresOf(rows), [rows]);
  const long = rows.length > DRAW_ALL;
  return (
    <div
      ref={ref}
      data-part="review-hunks"
      data-state={long ? 'long' : 'whole'}
      style={{ ...measures, ...style }}
      {...rest}
    >
      <ScrollArea rows={rows} long={long} label={writer.text(writer.labels.hunk.table, { path })} />
    </div>
  );
});

function ScrollArea({
  rows,
  long,
  label,
}: {
  rows: readonly DiffRow[];
  long: boolean;
  label: string;
}): ReactNode {
  const header = <HeaderRow />;
  if (long) return <LongDiff rows={rows} label={label} header={header} rowHeight={ROW_HEIGHT} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll sideways, by keyboard too
    <div role="group" data-part="review-scroll" tabIndex={0} aria-label={label} style={{ overflowX: 'auto' }}>
      <div role="table" aria-label={label} aria-rowcount={rows.length + 1} data-part="review-table">
        {header}
        <div role="rowgroup" data-part="review-rows">
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row of a diff is its place in it
            <DiffRowView key={index} row={row} rowIndex={index + 2} />
          ))}
        </div>
      </div>
    </div>
  );
}

const COLUMNS = ['oldLine', 'newLine', 'sign', 'text'] as const;

function HeaderRow(): ReactNode {
  const { hunk } = useLabelWriter().labels;
  return (
    <div role="rowgroup" style={hidden}>
      <div role="row" aria-rowindex={1}>
        {COLUMNS.map((name) => (
          <div key={name} role="columnheader">
            {hunk[name]}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Widths for rows that are not drawn yet, so that the scroll area does not jump. */
function measuresOf(rows: readonly DiffRow[]): CSSProperties {
  let columns = 0;
  let lastLine = 1;
  for (const row of rows) {
    if (!('text' in row)) continue;
    columns = Math.max(columns, columnsOf(row.text, TAB_SIZE));
    lastLine = Math.max(lastLine, row.oldLine ?? 0, row.newLine ?? 0);
  }
  return {
    '--review-columns': columns,
    '--review-digits': Math.max(3, String(lastLine).length),
    '--review-row-height': `${ROW_HEIGHT}px`,
    tabSize: TAB_SIZE,
  } as CSSProperties;
}
