import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export interface Worker {
  /** What it wrote so far, line by line. */
  readonly lines: string[];
  start(): void;
  /** Resolves when it has written that many lines. */
  wrote(count: number): Promise<void>;
  kill(): Promise<void>;
  /** Its exit code. */
  readonly done: Promise<number | null>;
}

/** Runs a script of this folder in a process of its own, from the sources. */
export function startWorker(script: string, ...args: string[]): Worker {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const options = ['--conditions=@backstitch/source', '--import', 'tsx', file, ...args];
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(process.execPath, options, {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const done = once(child, 'close').then(([code]) => code as number | null);
  const lines: string[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    for (const each of waiting) if (lines.length >= each.count) each.resolve();
  });
  return {
    lines,
    done,
    start: () => void child.stdin.write('go\n'),
    async wrote(count) {
      if (lines.length >= count) return;
      const reached = new Promise<void>((resolve) => waiting.push({ count, resolve }));
      await Promise.race([
        reached,
        done.then((code) => Promise.reject(new Error(`The worker ended: ${code}`))),
      ]);
    },
    async kill() {
      child.kill('SIGKILL');
      await done;
    },
  };
}
