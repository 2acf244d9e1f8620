// The wiring that README.md shows: this file is what is type-checked, and a test holds the two equal.
import { createReviewService } from '@backstitch/review-core';
import { openFileReviewStore, openNodeWorkspace } from '@backstitch/review-fs-node';
import { createReviewServer } from '@backstitch/review-rpc';
import { serveWebSocket } from '@backstitch/review-rpc/node';
import { openTranscript } from '@backstitch/review-transcript/node';

const workspace = await openNodeWorkspace({ root: '/path/to/project' });
const store = await openFileReviewStore({ directory: '/path/to/agent-data/review' });
const transcript = await openTranscript({ path: '/path/to/agent-data/session-1.jsonl' });
const service = createReviewService({ store, workspace, log: () => transcript.reviewLog() });
await service.ready(); // what a crash cut short is settled

// Around each write of the agent: the old bytes are on disk before the file changes.
const call = { sessionId: 's1', messageId: 'm1', callId: 'c1', toolName: 'write_file' };
const request = { ...call, operation: 'write', path: 'src/app.ts' } as const;
const { change } = await service.capture(request, (target) => target.write('export const a = 1;\n'));

// Later, after any restart: the old bytes come back, or nothing is written and the outcome says why.
if (change) console.log(await service.rollback({ sessionId: 's1', snapshotId: change.id }));

// For the panel in a page: loopback only, and nobody comes in without the token.
const { url, token } = await serveWebSocket({ server: createReviewServer({ service }) });
console.log(`${url}?token=${token}`);
