// The wiring that README.md shows: this file is what is type-checked, and a test holds the two equal.
import { createReviewService } from '@backstitch/review-core';
import { openFileReviewStore, openNodeWorkspace } from '@backstitch/review-fs-node';
import { createReviewServer } from '@backstitch/review-rpc';
import { serveWebSocket } from '@backstitch/review-rpc/node';
import { openTranscript } from '@backstitch/review-transcript/node';

const workspace = await openNodeWorkspace({ root: '/home/me/project' });
const store = await openFileReviewStore({ directory: '/home/me/.local/share/my-agent/review' });
const transcript = await openTranscript({ path: '/home/me/.local/share/my-agent/s1.jsonl' });
const service = createReviewService({ store, workspace, log: () => transcript.reviewLog() });
await service.ready();

// Around each write of the agent: the bytes are in the store before the file changes.
const call = { sessionId: 's1', messageId: 'm1', callId: 'c1', toolName: 'write_file' } as const;
const { change } = await service.capture({ ...call, operation: 'write', path: 'src/app.ts' }, (target) =>
  target.write('export const answer = 42;\n'),
);

// Later, after any restart: the old bytes come back, or nothing is written and the outcome says why.
if (change !== null) console.log(await service.rollback({ sessionId: 's1', snapshotId: change.id }));

// For the panel in the page.
const server = createReviewServer({ service });
await serveWebSocket({ server, token: 'a secret of this start', port: 0 });
