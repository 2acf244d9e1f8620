/** `append-child.ts LOG LOCKS NAME COUNT`: appends COUNT lines of very different lengths, each under the lock. */
import { createLockProvider, openLineLog } from '../index.ts';

const [path, directory, name, count] = process.argv.slice(2) as [string, string, string, string];
const provider = createLockProvider({ directory });
const log = await openLineLog({ path, durability: 'none' });
process.on('message', async () => {
  for (let i = 0; i < Number(count); i++) {
    const lock = await provider.acquire('log', { timeoutMs: 60_000 });
    if ('busy' in lock) throw new Error('busy');
    await log.append([JSON.stringify({ name, i, pad: 'x'.repeat(i % 10 === 0 ? 300_000 : i) })]);
    lock.release();
  }
  await log.sync();
  process.send!('done');
});
process.send!('ready');
