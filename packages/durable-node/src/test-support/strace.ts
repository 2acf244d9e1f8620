import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from './folders.ts';

const SUPPORT: string = import.meta.dirname;

export interface Traced {
  /** What the script printed as JSON; null where it was killed. */
  result: unknown;
  signal: string | null;
  /** One line per traced call, in order, without the thread id. */
  calls: string[];
}

/**
 * Runs a script of this folder under strace. One thread does all async calls, so their order and their ordinals are
 * the same in each run.
 *
 * @param options such as `-e inject=fsync:error=EIO:when=1`
 */
export function traced(script: string, args: readonly string[], calls: string, ...options: string[]): Traced {
  const log = join(folder(), 'trace');
  const trace = ['-f', '-qq', '-y', '-e', `trace=${calls}`, ...options, '-o', log];
  const command = [
    process.execPath,
    '--conditions=@backstitch/source',
    '--import',
    'tsx',
    join(SUPPORT, script),
    ...args,
  ];
  const run = spawnSync('strace', [...trace, ...command], {
    encoding: 'utf8',
    env: { ...process.env, UV_THREADPOOL_SIZE: '1', UV_USE_IO_URING: '0' },
  });
  if (run.error !== undefined)
    throw new Error('This test needs strace: apt-get install strace', { cause: run.error });
  const lines = readFileSync(log, 'utf8').split('\n');
  const printed = run.stdout.trim();
  if (printed === '' && run.signal === null) throw new Error(run.stderr);
  return {
    result: printed === '' ? null : JSON.parse(printed),
    signal: run.signal,
    calls: lines.map((line) => line.replace(/^\d+\s+/, '')),
  };
}
