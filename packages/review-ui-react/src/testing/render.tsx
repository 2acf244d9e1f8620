import type { RenderResult } from '@testing-library/react';
import { act, render } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { StrictMode } from 'react';
import type { PartialLabels } from '../labels/types.ts';
import { ReviewProvider } from '../provider.tsx';
import type { FakeHost } from './fake-client.ts';

export interface Rendered extends RenderResult {
  user: UserEvent;
}

/** Draws parts over a host and waits until what they ask for at first has come. */
export async function renderReview(
  host: FakeHost,
  parts: ReactNode,
  labels?: PartialLabels,
): Promise<Rendered> {
  const user = userEvent.setup();
  const result = render(
    <StrictMode>
      <ReviewProvider client={host.client()} sessionId="s1" {...(labels === undefined ? {} : { labels })}>
        {parts}
      </ReviewProvider>
    </StrictMode>,
  );
  await settle();
  return { ...result, user };
}

/** Lets every promise that is under way come to its end, without waiting for time. */
export async function settle(): Promise<void> {
  await act(async () => {
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  });
}

/** What the live region says now. */
export function announced(container: ParentNode = document): string {
  return container.querySelector('[data-part="review-live-region"]')?.textContent ?? '';
}
