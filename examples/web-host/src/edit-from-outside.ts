import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createReviewService } from '@backstitch/review-core';
import { openFileReviewStore, openNodeWorkspace } from '@backstitch/review-fs-node';
import { SESSION_ID } from './host.ts';

/** What a second host does on the same store: opened, one capture, closed. */
export async function editFromOutside(state: string, path: string, content: string): Promise<void> {
  const workspace = await openNodeWorkspace({
    root: join(state, 'workspace'),
    lockDirectory: join(state, 'locks'),
  });
  const store = await openFileReviewStore({ directory: join(state, 'store'), owner: 'outside' });
  const service = createReviewService({ store, workspace });
  try {
    await service.capture(
      {
        sessionId: SESSION_ID,
        messageId: randomUUID(),
        callId: randomUUID(),
        toolName: 'write',
        operation: 'write',
        path,
      },
      (target) => target.write(content),
    );
  } finally {
    await service.close();
    await store.close();
  }
}
