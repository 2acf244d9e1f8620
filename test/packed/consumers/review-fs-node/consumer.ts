import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createReviewService } from '@backstitch/review-core';
import { openFileReviewStore, openNodeWorkspace } from '@backstitch/review-fs-node';

const directory = mkdtempSync(join(tmpdir(), 'consumer-'));
const root = join(directory, 'project');
const file = join(root, 'a.txt');
const call = {
  sessionId: 's',
  messageId: 'm',
  callId: 'c',
  toolName: 'edit',
  operation: 'edit',
  path: 'a.txt',
} as const;

async function open() {
  const workspace = await openNodeWorkspace({ root, lockDirectory: join(directory, 'locks') });
  const store = await openFileReviewStore({ directory: join(directory, 'store') });
  const service = createReviewService({ store, workspace });
  await service.ready();
  return { service, close: () => service.close().then(() => store.close()) };
}

try {
  mkdirSync(root);
  writeFileSync(file, 'before\r\n');
  const first = await open();
  const { change } = await first.service.capture(call, (target) => target.write('after\n'));
  assert.ok(change !== null);
  assert.equal(readFileSync(file, 'utf8'), 'after\n');
  await first.close();

  // Another start of the host: the record is there, and so are the bytes.
  const second = await open();
  writeFileSync(file, 'by hand\n');
  const conflict = await second.service.rollback({ sessionId: 's', snapshotId: change.id });
  assert.equal(conflict.status, 'conflict');
  assert.equal(readFileSync(file, 'utf8'), 'by hand\n');
  writeFileSync(file, 'after\n');
  const outcome = await second.service.rollback({ sessionId: 's', snapshotId: change.id });
  assert.equal(outcome.status, 'rolledBack');
  assert.equal(readFileSync(file, 'utf8'), 'before\r\n');
  await second.close();
  console.log('ok');
} finally {
  rmSync(directory, { recursive: true });
}
