import axe from 'axe-core';
import { expect, it } from 'vitest';
import { ReviewPanel } from './index.ts';
import { createFakeHost } from './testing/fake-client.ts';
import { renderReview, settle } from './testing/render.tsx';
import { sampleChange } from './testing/sample-change.ts';

/** Colours and sizes need a real browser; structure, names and roles don't. */
const OPTIONS: axe.RunOptions = {
  rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
};

async function violations(container: HTMLElement): Promise<string[]> {
  const { violations: found } = await axe.run(container, OPTIONS);
  return found.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' | ')}`);
}

it('finds nothing to mend in a panel of every state, with a notice and without a connection', async () => {
  const host = createFakeHost([
    sampleChange({ seq: 1, path: 'a.ts' }),
    sampleChange({ seq: 2, path: 'a.ts', state: 'kept', facets: ['mode', 'bom'] }),
    sampleChange({ seq: 3, path: 'b.ts', state: 'rolledBack' }),
    sampleChange({ seq: 4, path: 'c.ts', reversible: false, irreversibleReason: 'fork' }),
    sampleChange({ seq: 5, path: 'd.ts', evidence: 'binary', additions: null, deletions: null }),
  ]);
  host.outcomes.push({ status: 'conflict', reason: 'deleted' });
  const { container, user } = await renderReview(host, <ReviewPanel defaultRound={{ round: 'all' }} />);
  await user.click(container.querySelector('[data-action="rollback"]')!);
  await settle();
  expect(await violations(container)).toEqual([]);
  host.setConnection('closed');
  await settle();
  expect(await violations(container)).toEqual([]);
});

it('finds nothing to mend in an empty panel', async () => {
  const { container } = await renderReview(createFakeHost([]), <ReviewPanel />);
  expect(await violations(container)).toEqual([]);
});
