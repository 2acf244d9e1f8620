import { createInterface } from 'node:readline';
import { ReviewError } from '@backstitch/review-core';
import { openTranscript } from '../index.ts';

/**
 * A process that appends. Waits for a line on its input, so that several begin together; writes the id of each
 * line that was acknowledged.
 *
 * Arguments: path, name, number of lines, most bytes of a payload.
 */
const [path = '', name = '', count = '0', most = '1'] = process.argv.slice(2);
const transcript = await openTranscript({ path });
const input = createInterface({ input: process.stdin });
process.stdout.write('ready\n');
await new Promise((resolve) => input.once('line', resolve));
for (let i = 0; i < Number(count); i++) {
  const id = `${name}-${i}`;
  const bytes = i % 7 === 0 ? 1 : Math.ceil((Number(most) * ((i * 37) % 101)) / 100);
  const line = { type: i % 2 === 0 ? 'tool' : 'message', id, text: 'é'.repeat(bytes / 2) };
  await untilFree(() => transcript.append(line));
  if (i % 2 === 0) {
    await untilFree(() => transcript.appendReviewState({ messageId: id, snapshotId: 's', state: 'kept' }));
  }
  process.stdout.write(`${id}\n`);
}
await transcript.close();
input.close();

/** On a slow machine the others may hold the lock longer than one call waits. */
async function untilFree(call: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await call();
      return;
    } catch (error) {
      if (!ReviewError.isInstance(error) || error.code !== 'busy') throw error;
    }
  }
}
