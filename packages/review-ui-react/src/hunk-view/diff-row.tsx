import type { CSSProperties, ReactNode } from 'react';
import { useLabelWriter } from '../context.ts';
import { useReviewActions } from '../hooks/use-review-actions.ts';
import type { DiffRow, LineRow } from '../model/hunk-rows.ts';
import { cutLine } from '../model/line-text.ts';
import { clipboardOf } from '../parts/clipboard.ts';
import { SafeText } from '../parts/safe-text.tsx';

export interface DiffRowViewProps {
  row: DiffRow;
  /** 1-based among all rows, the header row included. */
  rowIndex: number;
  style?: CSSProperties | undefined;
}

const SIGNS = { context: '', added: '+', deleted: '−' } as const;

/**
 * One row of the table. Roles are given to plain elements, since rows that are drawn one by one are placed
 * freely, which a <tr> is not.
 */
export function DiffRowView({ row, rowIndex, style }: DiffRowViewProps): ReactNode {
  const side = row.kind === 'noNewline' ? row.side : undefined;
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      data-part="review-row"
      data-kind={row.kind}
      data-side={side}
      style={style}
    >
      {'text' in row ? <LineCells row={row} /> : <WideCell row={row} />}
    </div>
  );
}

function LineCells({ row }: { row: LineRow }): ReactNode {
  const { hunk } = useLabelWriter().labels;
  return (
    <>
      <Cell part="review-line-number">{row.oldLine}</Cell>
      <Cell part="review-line-number">{row.newLine}</Cell>
      <Cell part="review-sign" label={row.kind === 'context' ? undefined : hunk[row.kind]}>
        {SIGNS[row.kind]}
      </Cell>
      <Cell part="review-line">
        <LineText text={row.text} />
      </Cell>
    </>
  );
}

function Cell(props: { part: string; label?: string | undefined; children: ReactNode }): ReactNode {
  return (
    <div role="cell" data-part={props.part} aria-label={props.label}>
      {props.children}
    </div>
  );
}

function LineText({ text }: { text: string }): ReactNode {
  const writer = useLabelWriter();
  const actions = useReviewActions();
  const cut = cutLine(text);
  if (cut.total === null) return <SafeText text={text} />;
  const { hunk } = writer.labels;
  return (
    <>
      <SafeText text={cut.text} />
      <span data-part="review-cut">
        {writer.text(hunk.cut, { count: cut.shown, total: cut.total })}{' '}
        <button
          type="button"
          data-part="review-button"
          data-action="copyLine"
          onClick={(event) => void actions.copyLine(text, clipboardOf(event.currentTarget))}
        >
          {hunk.copyLine}
        </button>
      </span>
    </>
  );
}

function WideCell({ row }: { row: Exclude<DiffRow, LineRow> }): ReactNode {
  const writer = useLabelWriter();
  const { hunk } = writer.labels;
  return (
    <div role="cell" aria-colspan={4} data-part="review-wide-cell">
      {row.kind === 'hunk' && <SafeText text={row.header} />}
      {row.kind === 'noNewline' && hunk.noNewline[row.side]}
      {row.kind === 'unavailable' && writer.text(hunk.unavailable, { reason: hunk.malformed[row.reason] })}
    </div>
  );
}
