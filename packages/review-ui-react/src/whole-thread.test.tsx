import type { Operation, ReviewService } from '@backstitch/review-core';
import { createReviewService } from '@backstitch/review-core';
import { createMemoryStore, createMemoryWorkspace } from '@backstitch/review-core/testing';
import type { ReviewClient } from '@backstitch/review-rpc';
import { createMemoryTransportPair, createReviewClient, createReviewServer } from '@backstitch/review-rpc';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { ReviewPanel, ReviewProvider } from './index.ts';

/** The real service, protocol and client under the real parts; only disk and wire are in memory. */
function openHost(files: Record<string, string>) {
  const workspace = createMemoryWorkspace({ files });
  const service = createReviewService({ store: createMemoryStore(), workspace });
  const server = createReviewServer({ service });
  const connect = (role: 'main' | 'viewer'): ReviewClient => {
    const [near, far] = createMemoryTransportPair();
    server.connect(far, { role });
    return createReviewClient(near);
  };
  return { workspace, service, connect };
}

let calls = 0;

async function edit(service: ReviewService, operation: Operation, path: string, text: string): Promise<void> {
  calls += 1;
  const request = {
    sessionId: 's1',
    messageId: `m${calls}`,
    callId: `c${calls}`,
    toolName: 'edit_file',
    operation,
    path,
  };
  await act(() => service.capture(request, (target) => target.write(text)));
}

function show(...clients: ReviewClient[]) {
  const user = userEvent.setup();
  render(
    clients.map((client, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: as many as the test opens
      <div key={index} data-testid={`tab-${index}`}>
        <ReviewProvider client={client} sessionId="s1">
          <ReviewPanel defaultRound={{ round: 'all' }} />
        </ReviewProvider>
      </div>
    )),
  );
  const tab = (index: number) => within(screen.getByTestId(`tab-${index}`));
  return { user, tab };
}

it('keeps one change and rolls another back, on both screens and in the files', async () => {
  const { workspace, service, connect } = openHost({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
  await edit(service, 'edit', 'a.txt', 'two\n');
  await edit(service, 'create', 'new.txt', 'new\n');
  const { user, tab } = show(connect('main'), connect('main'));

  await user.click(await tab(0).findByRole('button', { name: 'Keep: a.txt' }));
  await waitFor(() => expect(tab(1).getByText('1 of 2 reviewed')).toBeTruthy());
  await user.click(tab(1).getByRole('button', { name: 'Roll back (deletes the file): new.txt' }));
  await waitFor(() => expect(tab(0).getByText('2 of 2 reviewed')).toBeTruthy());
  expect(workspace.text('a.txt')).toBe('two\n');
  expect(workspace.text('new.txt')).toBeNull();

  await edit(service, 'edit', 'b.txt', 'two\n');
  await waitFor(() => expect(tab(0).getByText('2 of 3 reviewed')).toBeTruthy());
});

it('leaves a file alone that was changed by hand, and says so', async () => {
  const { workspace, service, connect } = openHost({ 'a.txt': 'one\n' });
  await edit(service, 'edit', 'a.txt', 'two\n');
  const { user, tab } = show(connect('main'));
  const rollback = await tab(0).findByRole('button', { name: 'Roll back: a.txt' });
  workspace.put('a.txt', 'by hand\n');
  await user.click(rollback);
  expect(await tab(0).findByText('a.txt was changed after this edit. It was left as it is.')).toBeTruthy();
  expect(workspace.text('a.txt')).toBe('by hand\n');
});

it('offers nothing to a connection that may only look', async () => {
  const { service, connect } = openHost({ 'a.txt': 'one\n' });
  await edit(service, 'edit', 'a.txt', 'two\n');
  const { tab } = show(connect('viewer'));
  const keep = await tab(0).findByRole('button', { name: 'Keep: a.txt' });
  await waitFor(() => expect(keep.title).toBe('Keep is off: this connection may only look.'));
});
