// @vitest-environment node
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { HunkView, ReviewChangeCard, ReviewPanel, ReviewProvider } from './index.ts';
import { createFakeHost } from './testing/fake-client.ts';
import { hunksOf, sampleChange } from './testing/sample-change.ts';

it('renders on a server, without a document and without asking the host', () => {
  const host = createFakeHost([sampleChange()]);
  const html = renderToString(
    <ReviewProvider client={host.client()} sessionId="s1">
      <ReviewPanel />
      <ReviewChangeCard snapshotId={sampleChange().id} defaultOpen />
    </ReviewProvider>,
  );
  expect(typeof document).toBe('undefined');
  expect(html).toContain('Loading changes…');
  expect(html).toContain('Loading change…');
  expect(html).toContain('data-part="review-live-region"');
  expect(host.calls).toEqual([]);
});

it('renders a diff on a server, short and long', () => {
  const long = Array.from({ length: 4000 }, (_, index) => `line ${index}\n`).join('');
  const html = renderToString(
    <ReviewProvider client={createFakeHost([]).client()} sessionId="s1">
      <HunkView hunks={hunksOf('a\n', 'b\n')} path="short" />
      <HunkView hunks={hunksOf(null, long)} path="long" />
    </ReviewProvider>,
  );
  expect(html).toContain('aria-rowcount="4002"');
  expect(html.match(/role="row"/g)!.length).toBeGreaterThan(20);
  expect(html.match(/role="row"/g)!.length).toBeLessThan(60);
});
