import type { Gap, UnreadableRecord } from '@backstitch/review-core';
import type { ReactNode } from 'react';
import { useLabelWriter } from '../context.ts';
import { SafeText } from '../parts/safe-text.tsx';
import type { ReviewListing } from '../store/state.ts';

/** Gaps drawn at once; the number of all of them is in the heading. */
const SHOWN = 50;

/** What the list does not show, and why. Open where there is nothing else to see: it then matters most. */
export function Coverage({ listing, empty }: { listing: ReviewListing; empty: boolean }): ReactNode {
  const { panel } = useLabelWriter().labels;
  const unreadable = listing.items.filter((item) => 'unreadable' in item);
  return (
    <footer data-part="review-coverage" data-state={empty ? 'empty' : 'filled'}>
      {unreadable.length > 0 && <Unreadable records={unreadable} />}
      {listing.gaps.total > 0 && <Gaps gaps={listing.gaps} open={empty} />}
      <p data-part="review-coverage-note">{panel.coverage}</p>
    </footer>
  );
}

function Gaps({ gaps, open }: { gaps: ReviewListing['gaps']; open: boolean }): ReactNode {
  const writer = useLabelWriter();
  const { gap: words } = writer.labels;
  const shown = gaps.items.slice(0, SHOWN);
  const more = gaps.total - shown.length;
  return (
    <details data-part="review-gaps" open={open}>
      <summary>{writer.plural(words.title, gaps.total)}</summary>
      <ul>
        {shown.map((gap, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one call can leave several gaps; they hold no state
          <li key={index} data-part="review-gap" data-reason={gap.reason}>
            <GapText gap={gap} />
          </li>
        ))}
        {more > 0 && <li data-part="review-gap-more">{writer.plural(words.more, more)}</li>}
      </ul>
    </details>
  );
}

function GapText({ gap }: { gap: Gap }): ReactNode {
  const writer = useLabelWriter();
  const { gap: words, operation } = writer.labels;
  const by = [gap.operation === null ? null : writer.word(operation, gap.operation), gap.toolName];
  return (
    <>
      <span data-part="review-path" dir="auto">
        {gap.path === null ? words.unknownPath : <SafeText text={gap.path} />}
      </span>{' '}
      <span data-part="review-gap-reason">
        {writer.word(words.reason, gap.reason)}
        {gap.detail !== null && (
          <>
            {': '}
            <SafeText text={gap.detail} />
          </>
        )}
      </span>{' '}
      <span data-part="review-tool">
        <SafeText text={by.filter((part) => part !== null).join(' · ')} />
      </span>
    </>
  );
}

function Unreadable({ records }: { records: readonly UnreadableRecord[] }): ReactNode {
  const writer = useLabelWriter();
  const { unreadable: words } = writer.labels;
  return (
    <details data-part="review-unreadable" open>
      <summary>{writer.plural(words.title, records.length)}</summary>
      <ul>
        {records.map((record, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what can't be read may have no id; the list is replaced whole
          <li key={index} data-part="review-unreadable-record" data-kind={record.unreadable}>
            <code>{record.id === null ? words.unknownId : <SafeText text={record.id} />}</code>{' '}
            <span>{writer.word(words.kind, record.unreadable)}: </span>
            <SafeText text={record.reason} />
          </li>
        ))}
      </ul>
    </details>
  );
}
