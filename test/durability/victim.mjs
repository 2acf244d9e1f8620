/**
 * The process that is killed. `node victim.mjs OPERATION FOLDER [ID]` does one public operation on the built
 * packages; the access of a file that is not there marks in the trace where the operation begins.
 */
import { accessSync } from 'node:fs';
import { join } from 'node:path';
import { createReviewService } from '@backstitch/review-core';
import { openFileReviewStore, openNodeWorkspace } from '@backstitch/review-fs-node';
import { openTranscript } from '@backstitch/review-transcript/node';

const SESSION = 's';
const [operation, folder, id] = process.argv.slice(2);

const workspace = await openNodeWorkspace({
  root: join(folder, 'work'),
  lockDirectory: join(folder, 'locks'),
});
const store = await openFileReviewStore({ directory: join(folder, 'store') });
const transcript = await openTranscript({ path: join(folder, 'transcript.jsonl') });
const service = createReviewService({ store, workspace, log: transcript.reviewLog() });

const request = (path, callId) => ({
  sessionId: SESSION,
  messageId: `m-${callId}`,
  callId,
  toolName: 'write',
  operation: 'write',
  path,
});
const capture = (path, act) => service.capture(request(path, `${operation}-${path}`), act);

const operations = {
  modify: () => capture('a.txt', (target) => target.write('new\n')),
  create: () => capture('made/by/a.txt', (target) => target.write('new\n')),
  remove: () => capture('a.txt', (target) => target.remove()),
  begin: () => service.begin({ ...request('a.txt', 'hook'), owner: 'detached' }),
  finish: () => service.finish({ sessionId: SESSION, callId: 'hook' }),
  keep: () => service.keep({ sessionId: SESSION, snapshotIds: [id] }),
  rollback: () => service.rollback({ sessionId: SESSION, snapshotId: id }),
  recover: () => service.ready(),
};

try {
  accessSync('/backstitch-operation-begins');
} catch {
  // It is not there: the call itself is the mark.
}
const answer = await operations[operation]();
process.stdout.write(
  `${JSON.stringify({ id: answer?.change?.id ?? null, status: answer?.status ?? null })}\n`,
);
await service.close();
await transcript.close();
await store.close();
