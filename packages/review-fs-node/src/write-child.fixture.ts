/**
 * One guarded write in a process of its own: `write-child <root> <lockDirectory> <path> <text>`, as the user
 * `BECOME`. Prints what it was answered. With `STOP_AFTER=<step>` it kills itself behind that step, and prints
 * the intent before it.
 */

import { sha256 } from '@backstitch/durable-node';
import { ReviewError } from '@backstitch/review-core';
import { openNodeWorkspace } from './node-workspace.ts';

const [root, lockDirectory, path, text] = process.argv.slice(2) as [string, string, string, string];
const { BECOME, STOP_AFTER } = process.env;

function reached(step: string): void {
  if (step === STOP_AFTER) process.kill(process.pid, 'SIGKILL');
}

async function main(): Promise<unknown> {
  if (BECOME) {
    process.setgroups!([]);
    process.setgid!(Number(BECOME));
    process.setuid!(Number(BECOME));
  }
  const workspace = await openNodeWorkspace({ root, lockDirectory });
  const locked = await workspace.lock([path]);
  if (!Array.isArray(locked)) return locked;
  const file = locked[0]!;
  const bytes = Buffer.from(text);
  try {
    reached('lock');
    const staged = await file.stage(
      text === '' ? { at: 'absent' } : { at: 'file', bytes, digest: sha256(bytes), mode: null },
    );
    if (STOP_AFTER) process.stdout.write(JSON.stringify(staged.intent));
    reached('stage');
    await staged.write();
    reached('write');
    const result = await staged.publish();
    reached('publish');
    if (result.published === true) await staged.settle();
    reached('settle');
    return result;
  } finally {
    await file.release();
  }
}

const answer = await main().catch((error: unknown) => {
  if (!ReviewError.isInstance(error)) throw error;
  return { code: error.code, errno: error.errno, path: error.path, message: error.message };
});
process.stdout.write(JSON.stringify(answer));
