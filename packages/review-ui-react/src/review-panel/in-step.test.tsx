import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { ReviewProvider } from '../provider.tsx';
import { createFakeHost } from '../testing/fake-client.ts';
import { announced, renderReview, settle } from '../testing/render.tsx';
import { sampleChange } from '../testing/sample-change.ts';
import { ReviewPanel } from './review-panel.tsx';

function paths(container: ParentNode): string[] {
  return [...container.querySelectorAll('[data-part="review-toggle"] [data-part="review-path"]')].map(
    (path) => path.textContent ?? '',
  );
}

describe('in step', () => {
  it('shows what another provider did, over one host', async () => {
    const host = createFakeHost([sampleChange({ path: 'src/a.ts' })]);
    const user = userEvent.setup();
    const tab = (name: string) => (
      <div data-testid={name}>
        <ReviewProvider client={host.client()} sessionId="s1">
          <ReviewPanel />
        </ReviewProvider>
      </div>
    );
    render(
      <>
        {tab('first')}
        {tab('second')}
      </>,
    );
    await settle();
    const first = within(screen.getByTestId('first'));
    const second = within(screen.getByTestId('second'));
    await user.click(first.getByRole('button', { name: 'Keep: src/a.ts' }));
    await settle();
    for (const view of [first, second]) {
      expect(view.getByText('1 of 1 reviewed')).toBeTruthy();
      expect(view.getByRole('button', { name: 'Undo keep: src/a.ts' })).toBeTruthy();
    }
    expect(announced(screen.getByTestId('second'))).toBe('');
  });

  it('[C077] acts on the change that was pressed, though the list is sorted anew under the hand', async () => {
    const a = sampleChange({ seq: 1, path: 'src/a.ts' });
    const b = sampleChange({ seq: 2, path: 'src/b.ts' });
    const host = createFakeHost([a, b]);
    const { user, container } = await renderReview(host, <ReviewPanel />);
    const button = screen.getByRole('button', { name: 'Roll back: src/b.ts' });
    await user.pointer({ keys: '[MouseLeft>]', target: button });
    host.changes.splice(0, 2, b, sampleChange({ seq: 3, path: 'src/0.ts' }), a);
    host.emit();
    await settle();
    expect(paths(container)).toEqual(['src/b.ts', 'src/0.ts', 'src/a.ts']);
    await user.pointer({ keys: '[/MouseLeft]', target: button });
    await settle();
    expect(host.calls.find((call) => call.method === 'rollback')!.params).toMatchObject({ snapshotId: b.id });
  });

  it('leads from a conflict to the later change that must go first, in whichever round it is', async () => {
    const later = sampleChange({ seq: 2, round: { id: 'r2', ordinal: 2 }, path: 'src/a.ts' });
    const host = createFakeHost([sampleChange({ seq: 1, path: 'src/a.ts' }), later]);
    host.outcomes.push({
      status: 'conflict',
      reason: 'laterChange',
      laterChange: later.id,
      path: 'src/a.ts',
    });
    const { user, container } = await renderReview(
      host,
      <ReviewPanel defaultRound={{ round: 'one', id: 'r1' }} />,
    );
    await user.click(screen.getByRole('button', { name: 'Roll back: src/a.ts' }));
    await settle();
    await user.click(screen.getByRole('button', { name: 'Show the later change' }));
    await settle();
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Round' }).value).toBe('id:r2');
    const card = container.querySelector(`[data-snapshot-id="${later.id}"]`)!;
    expect(card.contains(document.activeElement)).toBe(true);
  });
});
