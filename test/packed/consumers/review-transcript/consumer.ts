import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STATE_LINE_TYPE } from '@backstitch/review-transcript';
import { openTranscript } from '@backstitch/review-transcript/node';

const directory = mkdtempSync(join(tmpdir(), 'consumer-'));
try {
  assert.equal(STATE_LINE_TYPE, 'tool_review_state');
  const transcript = await openTranscript({ path: join(directory, 's.jsonl') });
  await transcript.append({ type: 'session', id: 's' });
  await transcript.append({ type: 'message', id: 'm1', text: 'please' });
  const { items } = await transcript.readAll();
  assert.deepEqual(
    items.map((item) => item.type),
    ['session', 'message'],
  );
  assert.deepEqual(await transcript.health(), { damaged: [] });
  await transcript.close();
  console.log('ok');
} finally {
  rmSync(directory, { recursive: true });
}
