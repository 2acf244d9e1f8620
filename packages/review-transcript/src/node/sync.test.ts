import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { testDirectory } from './testing/files.ts';

const WORKER = fileURLToPath(new URL('testing/append-worker.ts', import.meta.url));

/** The calls that the worker made on its transcript (`write`, `sync`), and its acknowledgements (`ack`). */
function tracedCalls(path: string): string[] {
  const log = `${path}.trace`;
  const node = [
    process.execPath,
    '--conditions=@backstitch/source',
    '--import',
    'tsx',
    WORKER,
    path,
    'w',
    '3',
    '9',
  ];
  const trace = ['-f', '-qq', '-y', '-e', 'trace=write,pwrite64,writev,fsync,fdatasync', '-o', log];
  const run = spawnSync('strace', [...trace, ...node], {
    input: 'go\n',
    env: { ...process.env, UV_THREADPOOL_SIZE: '1', UV_USE_IO_URING: '0' },
  });
  if (run.error !== undefined) {
    throw new Error('This test needs strace: apt-get install strace', { cause: run.error });
  }
  expect(run.status).toBe(0);
  return readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (/ write\(1[<,].*"w-\d/.test(line)) return ['ack'];
      if (!line.includes(`<${path}>`)) return [];
      return / (fsync|fdatasync)\(/.test(line) ? ['sync'] : ['write'];
    });
}

it('[A4] [D4] each line is one write, and synced before it is acknowledged', {
  timeout: 60_000,
}, (context) => {
  context.skip(process.platform !== 'linux', 'strace traces Linux only');
  const calls = tracedCalls(join(testDirectory(), 's.jsonl'));
  const withState = ['write', 'sync', 'write', 'sync', 'ack'];
  expect(calls).toEqual([...withState, 'write', 'sync', 'ack', ...withState]);
});
