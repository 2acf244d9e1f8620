import { render } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import { ReviewPanel, ReviewProvider } from './index.ts';
import { createFakeHost } from './testing/fake-client.ts';
import { settle } from './testing/render.tsx';
import { sampleChange } from './testing/sample-change.ts';

afterEach(() => vi.restoreAllMocks());

it('takes over what a server rendered, without a difference', async () => {
  const complaints = vi.spyOn(console, 'error').mockReturnValue();
  const client = createFakeHost([sampleChange({ path: 'src/a.ts' })]).client();
  const app = (
    <ReviewProvider client={client} sessionId="s1">
      <ReviewPanel />
    </ReviewProvider>
  );
  const page = document.createElement('div');
  page.innerHTML = renderToString(app);
  const panel = page.querySelector('[data-part="review-panel"]');
  document.body.append(page);
  render(app, { container: page, hydrate: true });
  await settle();
  expect(complaints.mock.calls).toEqual([]);
  expect(page.querySelector('[data-part="review-panel"]')).toBe(panel);
  expect(page.textContent).toContain('src/a.ts');
});
