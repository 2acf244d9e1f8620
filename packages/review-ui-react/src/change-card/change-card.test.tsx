import { CHANGE_STATES } from '@backstitch/review-core';
import { screen, within } from '@testing-library/react';
import { createRef } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { englishLabels } from '../labels/english.ts';
import { createFakeHost } from '../testing/fake-client.ts';
import { announced, renderReview, settle } from '../testing/render.tsx';
import { hunksOf, sampleChange } from '../testing/sample-change.ts';
import { ReviewChangeCard } from './change-card.tsx';

afterEach(() => vi.restoreAllMocks());

async function show(part: Parameters<typeof sampleChange>[0] = {}, open = false) {
  const change = sampleChange({ path: 'src/a.ts', ...part });
  const host = createFakeHost([change]);
  const rendered = await renderReview(host, <ReviewChangeCard snapshotId={change.id} defaultOpen={open} />);
  const card = rendered.container.querySelector<HTMLElement>('[data-part="review-card"]')!;
  return { ...rendered, host, change, card };
}

const button = (name: RegExp | string) => screen.getByRole('button', { name });

describe('the header of a change', () => {
  it('says status, path, counts and state in words', async () => {
    const { card } = await show({ additions: 12, deletions: 1 });
    expect(button('Modified src/a.ts')).toBeTruthy();
    expect(card.querySelector('[data-part="review-status"]')!.textContent).toBe('M');
    expect(card.querySelector('[data-part="review-counts"]')!.textContent).toBe(
      '12 lines added, 1 line removed+12 −1',
    );
    expect(card.querySelector('[data-part="review-state"]')!.textContent).toBe('To review');
    expect(card).toMatchObject({ dataset: { state: 'active', status: 'modified' } });
  });

  it('says that counts are unknown, never 0', async () => {
    const { card } = await show({ additions: null, deletions: null, evidence: 'binary' });
    expect(card.querySelector('[data-part="review-counts"]')!.textContent).toBe(
      'line counts unknownlines unknown',
    );
    expect(card.textContent).not.toContain('+0');
  });

  it.each(CHANGE_STATES)('shows state %s in words and as data-state', async (state) => {
    const { card } = await show({ state });
    expect(card.dataset.state).toBe(state);
    expect(within(card).getByText(englishLabels.state[state])).toBeTruthy();
  });

  it('says why roll back is off, beside it, without asking the host', async () => {
    const { host, user } = await show({
      reversible: false,
      irreversibleReason: 'outsideWorkspace',
      scope: 'external',
    });
    const off = button('Roll back: src/a.ts');
    const reason = 'Roll back is off: the file lies outside the workspace: it is shown, but never written.';
    expect(off.getAttribute('aria-disabled')).toBe('true');
    expect(document.getElementById(off.getAttribute('aria-describedby')!)!.textContent).toBe(reason);
    await user.click(off);
    expect(host.calls.filter((call) => call.method === 'rollback')).toEqual([]);
  });

  it('offers no more than the host serves', async () => {
    const change = sampleChange();
    const host = createFakeHost([change]);
    host.methods = ['review.get'];
    await renderReview(host, <ReviewChangeCard snapshotId={change.id} />);
    for (const name of [/^Keep/, /^Roll back/])
      expect(button(name).getAttribute('aria-disabled')).toBe('true');
    expect(button(/^Keep/).title).toBe('Keep is off: this connection may only look.');
  });

  it('[C040] shows a path with tags, and one with hidden characters, as text', async () => {
    const { card } = await show({ path: '<b>x</b>\u202Etxt.exe' });
    expect(card.querySelector('b')).toBeNull();
    expect(card.querySelector('[data-part="review-path"]')!.textContent).toBe('<b>x</b>U+202Etxt.exe');
  });

  it.each(['a#b.txt', '100%25.txt', 'what?.md', 'a:b\\c'])('[C110] names %s just so', async (path) => {
    await show({ path });
    expect(button(`Roll back: ${path}`)).toBeTruthy();
  });
});

describe('the diff of a change', () => {
  it('is fetched when it is opened, not before', async () => {
    const { user, host } = await show();
    expect(screen.queryByRole('table')).toBeNull();
    const toggle = button('Modified src/a.ts');
    expect(toggle.getAttribute('aria-expanded')).toBe('false');
    await user.click(toggle);
    await settle();
    expect(toggle.getAttribute('aria-expanded')).toBe('true');
    expect(screen.getByRole('table', { name: 'Diff of src/a.ts' })).toBeTruthy();
    expect(host.calls.filter((call) => call.method === 'get').length).toBeGreaterThan(0);
  });

  it('can be held open or closed from outside', async () => {
    const change = sampleChange({ path: 'src/a.ts' });
    const onOpenChange = vi.fn();
    const card = <ReviewChangeCard snapshotId={change.id} open={false} onOpenChange={onOpenChange} />;
    const { user } = await renderReview(createFakeHost([change]), card);
    await user.click(button('Modified src/a.ts'));
    expect(onOpenChange).toHaveBeenCalledExactlyOnceWith(true);
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('switches context between 1, 3 and 5 lines without asking the host', async () => {
    const change = sampleChange();
    const host = createFakeHost([change]);
    const text = Array.from({ length: 30 }, (_, index) => `line ${index}\n`);
    host.hunks.set(change.id, hunksOf(text.join(''), text.with(15, 'changed\n').join('')));
    const { container, user } = await renderReview(
      host,
      <ReviewChangeCard snapshotId={change.id} defaultOpen />,
    );
    const asked = host.calls.length;
    const shown = () => container.querySelectorAll('[data-part="review-row"][data-kind="context"]').length;
    expect(shown()).toBe(6);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Context' }), '5 lines');
    expect(shown()).toBe(10);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Context' }), '1 line');
    expect(shown()).toBe(2);
    expect(host.calls.length).toBe(asked);
  });

  it.each(['binary', 'tooLarge', 'tooDifferent', 'sensitive', 'unavailable'] as const)(
    'says why there is none: %s',
    async (evidence) => {
      await show({ evidence, additions: null, deletions: null }, true);
      expect(screen.getByText(englishLabels.evidence[evidence])).toBeTruthy();
      expect(screen.queryByRole('button', { name: /^Copy/ })).toBeNull();
    },
  );

  it('[C082] tells that a diff can not be drawn, and lives on', async () => {
    const change = sampleChange();
    const host = createFakeHost([change]);
    vi.spyOn(console, 'error').mockReturnValue();
    host.hunks.set(change.id, {} as never);
    await renderReview(host, <ReviewChangeCard snapshotId={change.id} defaultOpen />);
    expect(screen.getByText(/^Diff not available:/)).toBeTruthy();
    expect(button(/^Keep/)).toBeTruthy();
  });

  it('tells that the change can not be loaded, and loads it at a press', async () => {
    const change = sampleChange({ path: 'src/a.ts' });
    const host = createFakeHost([change]);
    host.failing.set('get', 'the record is damaged');
    const { user } = await renderReview(host, <ReviewChangeCard snapshotId={change.id} />);
    expect(screen.getByText('The change could not be loaded: the record is damaged')).toBeTruthy();
    host.failing.clear();
    await user.click(button('Try again'));
    await settle();
    expect(button('Modified src/a.ts')).toBeTruthy();
  });
});

describe('actions on a change', () => {
  it('keeps, and takes that back, and says so', async () => {
    const { user, card, host } = await show();
    await user.click(button('Keep: src/a.ts'));
    await settle();
    expect(card.dataset.state).toBe('kept');
    expect(announced()).toBe('Kept: src/a.ts');
    await user.click(button('Undo keep: src/a.ts'));
    await settle();
    expect(card.dataset.state).toBe('active');
    expect(announced()).toBe('No longer kept: src/a.ts');
    const params = { sessionId: 's1', snapshotIds: [host.changes[0]!.id] };
    expect(host.calls.filter((call) => /keep/.test(call.method))).toEqual([
      { method: 'keep', params },
      { method: 'unkeep', params },
    ]);
  });

  it('rolls back by id alone', async () => {
    const { user, card, host, change } = await show();
    await user.click(button('Roll back: src/a.ts'));
    await settle();
    expect(card.dataset.state).toBe('rolledBack');
    expect(announced()).toBe('Rolled back: src/a.ts');
    expect(host.calls.find((call) => call.method === 'rollback')!.params).toEqual({
      sessionId: 's1',
      snapshotId: change.id,
    });
    expect(button('Roll back: src/a.ts').title).toBe('Roll back is off: the change is already rolled back.');
  });

  it('[C020] says on the button that a roll back deletes the file, and that it did', async () => {
    const { user } = await show({ before: null, status: 'added', operation: 'create' });
    const rollback = button('Roll back (deletes the file): src/a.ts');
    expect(rollback.textContent).toBe('Roll back (deletes the file)');
    await user.click(rollback);
    await settle();
    expect(announced()).toBe('Rolled back: src/a.ts was deleted');
  });

  it('[C020] does nothing for the keys of a generic undo', async () => {
    const { user, host, card } = await show({ before: null, status: 'added' }, true);
    const scroll = screen.getByRole('group', { name: 'Diff of src/a.ts' });
    scroll.focus();
    expect(document.activeElement).toBe(scroll);
    for (let press = 0; press < 4; press += 1)
      await user.keyboard('{Control>}z{/Control}{Meta>}z{/Meta}{Alt>}{Backspace}{/Alt}');
    expect(host.calls.filter((call) => ['rollback', 'keep', 'unkeep'].includes(call.method))).toEqual([]);
    expect(card.dataset.state).toBe('active');
  });

  it('can be used by keyboard alone, and keeps the focus where it was', async () => {
    const { user, card } = await show();
    const order: string[] = [];
    for (let press = 0; press < 4; press += 1) {
      await user.tab();
      order.push(document.activeElement!.getAttribute('data-action') ?? 'toggle');
    }
    expect(order).toEqual(['toggle', 'keep', 'rollback', 'copyPatch']);
    await user.tab({ shift: true });
    await user.tab({ shift: true });
    await user.keyboard('{Enter}');
    await settle();
    expect(card.dataset.state).toBe('kept');
    expect(document.activeElement).toBe(button('Undo keep: src/a.ts'));
    await user.tab();
    await user.keyboard(' ');
    await settle();
    expect(card.dataset.state).toBe('rolledBack');
    expect(document.activeElement).toBe(button('Roll back: src/a.ts'));
  });

  it('runs once, however often it is pressed while it runs', async () => {
    const { user, host, card } = await show();
    host.held.set('rollback', []);
    await user.dblClick(button('Roll back: src/a.ts'));
    expect(card.getAttribute('aria-busy')).toBe('true');
    expect(button('Keep: src/a.ts').title).toBe('Keep is off: an action is running.');
    host.release('rollback');
    await settle();
    expect(host.calls.filter((call) => call.method === 'rollback')).toHaveLength(1);
    expect(card.getAttribute('aria-busy')).toBe('false');
  });

  it('copies the recorded patch', async () => {
    const { user } = await show();
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.click(button('Copy patch: src/a.ts'));
    await settle();
    expect(write.mock.calls[0]![0]).toBe(
      'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n',
    );
    expect(announced()).toBe('Patch copied');
  });

  it('says that it can not copy where the clipboard refuses', async () => {
    const { user } = await show();
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
    await user.click(button('Copy patch: src/a.ts'));
    await settle();
    expect(announced()).toBe('Copying is not possible here.');
  });
});

it('passes props and the ref on to its element', async () => {
  const ref = createRef<HTMLElement>();
  const change = sampleChange();
  await renderReview(
    createFakeHost([change]),
    <ReviewChangeCard ref={ref} snapshotId={change.id} className="mine" id="card" />,
  );
  expect(ref.current).toMatchObject({ id: 'card', className: 'mine', tagName: 'ARTICLE' });
});
