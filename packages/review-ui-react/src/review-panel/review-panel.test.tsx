import type { Gap } from '@backstitch/review-core';
import { screen, within } from '@testing-library/react';
import { createRef } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FakeHost } from '../testing/fake-client.ts';
import { createFakeHost } from '../testing/fake-client.ts';
import { renderReview, settle } from '../testing/render.tsx';
import { sampleChange } from '../testing/sample-change.ts';
import { ReviewPanel } from './review-panel.tsx';

afterEach(() => vi.restoreAllMocks());

const R1 = { id: 'r1', ordinal: 1 };
const R2 = { id: 'r2', ordinal: 2 };

const GAP: Gap = {
  seq: 9,
  sessionId: 's1',
  callId: 'c9',
  messageId: null,
  toolName: 'write_file',
  path: '.env',
  operation: 'write',
  reason: 'sensitive',
  detail: null,
  createdAt: '',
};

function twoRounds(): FakeHost {
  return createFakeHost([
    sampleChange({ seq: 1, round: R1, path: 'src/a.ts', additions: 3, deletions: 0 }),
    sampleChange({ seq: 2, round: R2, path: 'src/b.ts', additions: 1, deletions: 2, state: 'kept' }),
    sampleChange({
      seq: 3,
      round: R2,
      path: 'src/c.bin',
      additions: null,
      deletions: null,
      evidence: 'binary',
    }),
    sampleChange({ seq: 4, round: R2, path: 'src/b.ts', additions: 4, deletions: 0 }),
  ]);
}

function paths(container: ParentNode): string[] {
  return [...container.querySelectorAll('[data-part="review-toggle"] [data-part="review-path"]')].map(
    (path) => path.textContent ?? '',
  );
}

const picker = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Round' });

describe('rounds', () => {
  it('shows the latest round first, with its totals and what is reviewed', async () => {
    const { container } = await renderReview(twoRounds(), <ReviewPanel />);
    expect(picker().value).toBe('latest');
    expect(paths(container)).toEqual(['src/b.ts', 'src/c.bin']);
    expect(screen.getByText('2 files')).toBeTruthy();
    expect(container.querySelector('[data-part="review-totals"]')!.textContent).toContain('lines unknown');
    expect(screen.getByText('1 of 3 reviewed')).toBeTruthy();
  });

  it('offers every round with its recorded totals, or says that they are unknown', async () => {
    await renderReview(twoRounds(), <ReviewPanel />);
    expect([...picker().options].map((option) => option.text)).toEqual([
      'Latest',
      'All rounds',
      'Round 2 · 2 files · lines unknown',
      'Round 1 · 1 file · +3 −0',
    ]);
  });

  it('shows one round, or all of them newest first', async () => {
    const { container, user } = await renderReview(twoRounds(), <ReviewPanel />);
    await user.selectOptions(picker(), 'Round 1 · 1 file · +3 −0');
    await settle();
    expect(paths(container)).toEqual(['src/a.ts']);
    await user.selectOptions(picker(), 'All rounds');
    await settle();
    expect(paths(container)).toEqual(['src/b.ts', 'src/c.bin', 'src/a.ts']);
    expect(container.querySelectorAll('[data-part="review-round-heading"]')).toHaveLength(2);
  });

  it('can be held on a round from outside', async () => {
    const onRoundChange = vi.fn();
    const panel = <ReviewPanel round={{ round: 'one', id: 'r1' }} onRoundChange={onRoundChange} />;
    const { container, user } = await renderReview(twoRounds(), panel);
    await user.selectOptions(picker(), 'All rounds');
    expect(onRoundChange).toHaveBeenCalledExactlyOnceWith({ round: 'all' });
    expect(paths(container)).toEqual(['src/a.ts']);
  });

  it('follows to a new latest round', async () => {
    const host = twoRounds();
    const { container } = await renderReview(host, <ReviewPanel />);
    host.changes.push(sampleChange({ seq: 5, round: { id: 'r3', ordinal: 3 }, path: 'src/new.ts' }));
    host.emit([host.changes.at(-1)!.id]);
    await settle();
    expect(paths(container)).toEqual(['src/new.ts']);
  });
});

describe('files', () => {
  it('[C077] puts several operations on one file under one heading, in the order of record, with one footer', async () => {
    const { container } = await renderReview(twoRounds(), <ReviewPanel />);
    const group = container.querySelector<HTMLElement>('[data-part="review-group"]')!;
    expect(
      [...group.querySelectorAll<HTMLElement>('[data-part="review-card"]')].map(
        (card) => card.dataset.snapshotId,
      ),
    ).toEqual([sampleChange({ seq: 2 }).id, sampleChange({ seq: 4 }).id]);
    expect(within(group).getAllByRole('table')).toHaveLength(2);
    expect(within(group).getAllByRole('button', { name: /^Copy all changes/ })).toHaveLength(1);
  });

  it('copies all recorded operations in the order of record, and never calls it a net diff', async () => {
    const host = twoRounds();
    const { container, user } = await renderReview(host, <ReviewPanel />);
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.click(screen.getByRole('button', { name: 'Copy all changes as a patch: src/b.ts' }));
    await settle();
    const one =
      'diff --git a/src/b.ts b/src/b.ts\n--- a/src/b.ts\n+++ b/src/b.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n';
    expect(write).toHaveBeenCalledExactlyOnceWith(one + one);
    expect(container.textContent).not.toMatch(/net/i);
  });

  it('opens the first files, and the others at a press', async () => {
    const host = createFakeHost(Array.from({ length: 5 }, (_, index) => sampleChange({ seq: index + 1 })));
    const { user } = await renderReview(host, <ReviewPanel openFiles={2} />);
    expect(screen.getAllByRole('table')).toHaveLength(2);
    expect(host.calls.filter((call) => call.method === 'get')).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Modified src/file-5.ts' }));
    await settle();
    expect(screen.getAllByRole('table')).toHaveLength(3);
  });

  it('[C082] tells that one file can not be shown, and shows the others', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const host = twoRounds();
    host.changes[2]!.facets = null as never;
    const { container } = await renderReview(host, <ReviewPanel />);
    expect(screen.getByText(/^src\/c\.bin could not be shown: /)).toBeTruthy();
    expect(container.querySelectorAll('[data-part="review-card"]')).toHaveLength(2);
  });
});

describe('what is not in the list', () => {
  it('[C067] says what is covered and what is not in an empty list, and shows the gaps open', async () => {
    const host = createFakeHost([]);
    host.gaps = [GAP, { ...GAP, path: null, reason: 'notCovered', detail: 'npm run build' }];
    const { container } = await renderReview(host, <ReviewPanel />);
    expect(screen.getByText('No recorded changes in this session.')).toBeTruthy();
    expect(screen.getByText(/^Recorded are the edits that the agent made/)).toBeTruthy();
    expect(container.querySelector<HTMLDetailsElement>('[data-part="review-gaps"]')!.open).toBe(true);
    expect(screen.getByText('Not covered: 2 files or calls')).toBeTruthy();
    expect([...container.querySelectorAll('[data-part="review-gap"]')].map((gap) => gap.textContent)).toEqual(
      [
        '.env sensitive: touched, but no content recorded write · write_file',
        'unknown path not seen by the recorder: npm run build write · write_file',
      ],
    );
  });

  it('shows the gaps beside changes too, and how many more there are', async () => {
    const host = twoRounds();
    host.gaps = Array.from({ length: 53 }, () => GAP);
    const { container } = await renderReview(host, <ReviewPanel />);
    expect(screen.getByText('Not covered: 53 files or calls')).toBeTruthy();
    expect(container.querySelectorAll('[data-part="review-gap"]')).toHaveLength(50);
    expect(screen.getByText('and 3 more')).toBeTruthy();
  });

  it('lists records that can not be read, with the reason', async () => {
    const host = twoRounds();
    host.unreadable = [
      { unreadable: 'damaged', id: null, seq: null, sessionId: 's1', reason: '40 bytes at 120 are no JSON' },
      { unreadable: 'newer', id: 'x1', seq: 7, sessionId: 's1', reason: 'needs reader 2' },
    ];
    const { container } = await renderReview(host, <ReviewPanel />);
    expect(
      [...container.querySelectorAll('[data-part="review-unreadable-record"]')].map((li) => li.textContent),
    ).toEqual([
      'id unknown damaged: 40 bytes at 120 are no JSON',
      'x1 written by a newer version: needs reader 2',
    ]);
  });
});

describe('the state of the panel', () => {
  it('says that it loads', async () => {
    const host = twoRounds();
    host.held.set('rounds', []);
    const { container } = await renderReview(host, <ReviewPanel />);
    const panel = container.querySelector<HTMLElement>('[data-part="review-panel"]')!;
    expect(panel).toMatchObject({ dataset: { state: 'loading' } });
    expect(panel.getAttribute('aria-busy')).toBe('true');
    expect(screen.getByText('Loading changes…')).toBeTruthy();
    host.release('rounds');
    await settle();
    expect(panel).toMatchObject({ dataset: { state: 'ready' } });
  });

  it('says that loading failed, why, and tries again at a press', async () => {
    const host = twoRounds();
    host.failing.set('list', 'no such session');
    const { container, user } = await renderReview(host, <ReviewPanel />);
    expect(screen.getByText('The changes could not be loaded: no such session')).toBeTruthy();
    host.failing.clear();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(paths(container)).toEqual(['src/b.ts', 'src/c.bin']);
    expect(screen.queryByText(/could not be loaded/)).toBeNull();
  });

  it('says that the connection is lost, keeps what it shows, and turns actions off until it is back', async () => {
    const host = twoRounds();
    const { container, user } = await renderReview(host, <ReviewPanel />);
    host.setConnection('closed');
    await settle();
    expect(screen.getByText(/^Connection lost\./)).toBeTruthy();
    expect(paths(container)).toEqual(['src/b.ts', 'src/c.bin']);
    const rollback = screen.getByRole('button', { name: 'Roll back: src/c.bin' });
    expect(rollback.title).toBe('Roll back is off: there is no connection.');
    await user.click(rollback);
    expect(host.calls.filter((call) => call.method === 'rollback')).toEqual([]);

    host.changes[2]!.state = 'rolledBack';
    host.setConnection('open');
    await settle();
    expect(screen.queryByText(/^Connection lost\./)).toBeNull();
    expect(screen.getByText('2 of 3 reviewed')).toBeTruthy();
  });

  it('passes props and the ref on to its element', async () => {
    const ref = createRef<HTMLElement>();
    await renderReview(twoRounds(), <ReviewPanel ref={ref} className="mine" id="panel" />);
    expect(ref.current).toMatchObject({ id: 'panel', className: 'mine' });
    expect(screen.getByRole('region', { name: 'Changes' })).toBe(ref.current);
  });
});
