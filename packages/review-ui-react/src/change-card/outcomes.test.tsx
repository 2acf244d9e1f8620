import type { Outcome } from '@backstitch/review-core';
import { OUTCOME_STATUSES } from '@backstitch/review-core';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { englishLabels } from '../labels/english.ts';
import { createFakeHost } from '../testing/fake-client.ts';
import { announced, renderReview, settle } from '../testing/render.tsx';
import { sampleChange } from '../testing/sample-change.ts';
import { ReviewChangeCard } from './change-card.tsx';

async function show() {
  const change = sampleChange({ path: 'src/a.ts' });
  const host = createFakeHost([change]);
  const rendered = await renderReview(host, <ReviewChangeCard snapshotId={change.id} />);
  const card = rendered.container.querySelector<HTMLElement>('[data-part="review-card"]')!;
  return { ...rendered, host, change, card };
}

const button = (name: RegExp | string) => screen.getByRole('button', { name });

const CONFLICTS = Object.keys(englishLabels.conflict) as (keyof typeof englishLabels.conflict)[];

describe('how an action ended', () => {
  async function rollBack(outcome: Partial<Outcome>) {
    const shown = await show();
    shown.host.outcomes.push(outcome);
    await shown.user.click(button('Roll back: src/a.ts'));
    await settle();
    const notice = shown.container.querySelector<HTMLElement>('[data-part="review-notice"]');
    return { ...shown, notice };
  }

  it.each(CONFLICTS)('tells a conflict: %s, with what to do next', async (reason) => {
    const { notice, card, user, container } = await rollBack({
      status: 'conflict',
      reason,
      path: 'src/a.ts',
    });
    const { what, next } = englishLabels.conflict[reason];
    expect(notice!.dataset).toMatchObject({ state: 'conflict', outcome: 'conflict', reason });
    expect(notice!.textContent).toContain('Not rolled back');
    expect(notice!.textContent).toContain(what.replace('{path}', 'src/a.ts'));
    expect(notice!.textContent).toContain(next);
    expect(announced()).toContain(next);
    expect(card.dataset.state).toBe('active');
    await user.click(button('Dismiss'));
    expect(container.querySelector('[data-part="review-notice"]')).toBeNull();
  });

  it.each(['missingSnapshot', 'denied', 'readOnlySession', 'needsAttention'] as const)(
    'tells unavailable with its reason: %s',
    async (reason) => {
      const { notice } = await rollBack({ status: 'unavailable', reason });
      expect(notice!.dataset.state).toBe('problem');
      expect(notice!.textContent).toContain('Not available');
      expect(notice!.textContent).toContain(englishLabels.unavailable[reason]);
    },
  );

  it.each(['busy', 'failed', 'uncertain'] as const)('tells %s with what to do next', async (status) => {
    const { notice } = await rollBack({ status, errno: 'ENOSPC' });
    expect(notice!.dataset).toMatchObject({ state: 'problem', outcome: status });
    expect(notice!.textContent).toContain(englishLabels.outcome[status].next);
    expect(notice!.textContent).toContain('System code: ENOSPC');
    expect(announced()).toContain('src/a.ts');
  });

  it.each(OUTCOME_STATUSES)('announces outcome %s in our own words', async (status) => {
    await rollBack({
      status,
      reason: status === 'conflict' ? 'deleted' : status === 'unavailable' ? 'fork' : null,
    });
    expect(announced()).not.toBe('');
    expect(announced()).not.toContain('own words');
  });

  it("gives the host's words where a newer one sends a reason that is not known here", async () => {
    const { notice } = await rollBack({ status: 'conflict', reason: 'somethingNew' as never });
    expect(notice!.textContent).toContain('The host says it in its own words.');
  });

  it('tells that no answer came, and why', async () => {
    const { user, host, container } = await show();
    host.failing.set('rollback', 'the connection broke');
    await user.click(button('Roll back: src/a.ts'));
    await settle();
    const notice = container.querySelector<HTMLElement>('[data-part="review-notice"]')!;
    expect(notice.textContent).toContain('No answer for src/a.ts: the connection broke');
    expect(announced()).toContain('the connection broke');
  });

  it('announces the same outcome twice when it happens twice', async () => {
    const { user, host, container } = await rollBack({ status: 'busy' });
    const first = container.querySelector('[data-part="review-live-region"] span');
    host.outcomes.push({ status: 'busy' });
    await user.click(button('Roll back: src/a.ts'));
    await settle();
    expect(container.querySelector('[data-part="review-live-region"] span')).not.toBe(first);
  });

  it('shows no notice for what went as asked', async () => {
    const { user, container } = await show();
    await user.click(button('Keep: src/a.ts'));
    await settle();
    expect(container.querySelector('[data-part="review-notice"]')).toBeNull();
  });
});
