/**
 * Kill points: which mutating system calls an operation makes, and the same operation killed at each of them.
 *
 * A point is (call name, ordinal): `strace -e inject=NAME:signal=SIGKILL:when=K` delivers the signal at the entry
 * of the K-th call of that name in a thread, so that this call is the first that does not happen. One thread of
 * the pool and no io_uring make the order repeatable; a point that another thread reaches earlier kills earlier,
 * which is as good a point as any.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const VICTIM = fileURLToPath(new URL('./victim.mjs', import.meta.url));
const MARK = '/backstitch-operation-begins';
const MUTATING = [
  'write',
  'writev',
  'pwrite64',
  'pwritev',
  'rename',
  'renameat2',
  'link',
  'linkat',
  'unlink',
  'mkdir',
  'rmdir',
  'fsync',
  'fdatasync',
  'fchmod',
  'ftruncate',
  'utimensat',
];

export interface Point {
  call: string;
  ordinal: number;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

const environment = { ...process.env, UV_THREADPOOL_SIZE: '1', UV_USE_IO_URING: '0', NODE_OPTIONS: '' };

export function runVictim(...args: string[]): Promise<Ended> {
  return run(process.execPath, [VICTIM, ...args]);
}

/** All points of the operation on files below `folder`. The operation is carried out. */
export async function tracePoints(operation: string, folder: string, ...id: string[]): Promise<Point[]> {
  const own = mkdtempSync(join(tmpdir(), 'backstitch-trace-'));
  const output = join(own, 'trace');
  try {
    const traced = ['access', 'faccessat', 'faccessat2', ...MUTATING].map((call) => `?${call}`).join(',');
    const victim = [process.execPath, VICTIM, operation, folder, ...id];
    const ended = await run('strace', ['-f', '-y', '-o', output, '-e', `trace=${traced}`, ...victim]);
    if (ended.code !== 0) throw new Error(`the traced operation failed: ${ended.stderr}${ended.stdout}`);
    return pointsIn(readFileSync(output, 'utf8'), folder);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

export function killAt(point: Point, ...args: string[]): Promise<Ended> {
  const inject = `inject=${point.call}:signal=SIGKILL:when=${point.ordinal}`;
  const victim = [process.execPath, VICTIM, ...args];
  return run('strace', ['-f', '-o', '/dev/null', '-e', `trace=${point.call}`, '-e', inject, ...victim]);
}

async function run(command: string, args: string[]): Promise<Ended> {
  const child = spawn(command, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code, signal] = await ended;
  return { code, signal, stdout, stderr };
}

/** Of `write` only those to files: the wake-ups between threads are as many as the machine is busy. */
function pointsIn(trace: string, folder: string): Point[] {
  const counts = new Map<string, number>();
  const points = new Map<string, Point>();
  let begun = false;
  for (const line of trace.split('\n')) {
    begun ||= line.includes(MARK);
    const [, thread, call] = /^(\d+)\s+(\w+)\(/.exec(line) ?? [];
    if (thread === undefined || call === undefined || !MUTATING.includes(call)) continue;
    const ordinal = (counts.get(`${thread} ${call}`) ?? 0) + 1;
    counts.set(`${thread} ${call}`, ordinal);
    if (begun && (call !== 'write' || line.includes(`<${folder}`)))
      points.set(`${call} ${ordinal}`, { call, ordinal });
  }
  return [...points.values()];
}
