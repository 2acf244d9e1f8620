import { createReviewService, digest, previewChange, ReviewError } from '@backstitch/review-core';
import { hunksWithContext, toUnifiedPatch } from '@backstitch/review-core/evidence';
import { createMemoryStore, createMemoryWorkspace } from '@backstitch/review-core/testing';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const equal = (actual: unknown, expected: unknown): void => {
  if (actual !== expected) throw new Error(`${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
};

const preview = previewChange(bytes('a\nb\n'), bytes('a\nc\n'));
equal(preview.additions, 1);
equal(preview.deletions, 1);
equal((await digest(bytes('a'))).slice(0, 8), 'ca978112');

const workspace = createMemoryWorkspace();
const service = createReviewService({ store: createMemoryStore(), workspace });
await service.ready();
const call = {
  sessionId: 's',
  messageId: 'm',
  callId: 'c',
  toolName: 'write',
  operation: 'write',
  path: 'a.txt',
} as const;
const { change } = await service.capture(call, (target) => target.write(bytes('one\ntwo\n')));
if (change === null) throw new Error('the capture recorded nothing');
equal(change.status, 'added');

const { hunks } = await service.get({ sessionId: 's', snapshotId: change.id });
equal(hunksWithContext(hunks, 1)[0]?.lines.join('|'), '+one|+two');
equal(toUnifiedPatch(change, hunks).includes('+++ b/a.txt'), true);

const outcome = await service.rollback({ sessionId: 's', snapshotId: change.id });
equal(outcome.status, 'rolledBack');
const error: unknown = await service
  .get({ sessionId: 's', snapshotId: 'none' })
  .catch((reason: unknown) => reason);
equal(ReviewError.isInstance(error), true);
await service.close();
console.log('ok');
