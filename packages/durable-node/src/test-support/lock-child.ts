/** `lock-child.ts DIRECTORY`: takes and gives back locks as it is asked. */
import { createLockProvider, type Lock, type LockBusy } from '../index.ts';

const provider = createLockProvider({ directory: process.argv[2]!, app: 'child' });
let lock: Lock | null = null;

type Question =
  | { do: 'acquire'; key: string; timeoutMs: number }
  | { do: 'release' }
  | { do: 'holds' }
  | { do: 'owner' };

async function answer(question: Question): Promise<unknown> {
  if (question.do === 'owner') return provider.owner;
  if (question.do === 'holds') return lock?.holds() ?? false;
  if (question.do === 'release') {
    lock?.release();
    lock = null;
    return true;
  }
  const got: Lock | LockBusy = await provider.acquire(question.key, { timeoutMs: question.timeoutMs });
  if ('busy' in got) return { busy: true, pid: got.holder?.pid ?? null };
  lock = got;
  return { generation: got.generation };
}

process.on('message', (question: Question) => {
  void answer(question).then((value) => process.send!(value as object));
});
process.send!('ready');
