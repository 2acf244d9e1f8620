import { ReviewError } from '@backstitch/review-core';
import { openTranscript } from '../index.ts';

/** Uses the transcript given as argument without root's right to pass every mode; writes what came of it. */
const [path = ''] = process.argv.slice(2);
if (process.getuid?.() === 0) {
  process.setegid?.(65_534);
  process.seteuid?.(65_534);
}
const transcript = await openTranscript({ path });
const result = {
  readAll: await outcome(async () => (await transcript.readAll()).items.map((item) => item.id)),
  findTool: await outcome(async () => (await transcript.findTool('m1'))?.id),
  append: await outcome(() => transcript.append({ type: 'tool', id: 'm2' })),
};
process.stdout.write(`${JSON.stringify(result)}\n`);

async function outcome(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    if (ReviewError.isInstance(error)) return [error.code, error.errno];
    throw error;
  }
}
