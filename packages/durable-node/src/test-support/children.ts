import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A script of this folder in a process of its own, asked one thing at a time. */
export interface Child {
  readonly pid: number;
  ask(question: unknown): Promise<unknown>;
  signal(name: NodeJS.Signals): void;
  /** Kills it and waits until it is gone. */
  kill(): Promise<void>;
}

export async function startChild(script: string, ...args: string[]): Promise<Child> {
  const child = fork(join(import.meta.dirname, script), args, {
    execArgv: ['--conditions=@backstitch/source', '--import', 'tsx'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return {
    pid: child.pid!,
    async ask(question) {
      const answer = once(child, 'message');
      child.send(question as object);
      return (await answer)[0];
    },
    signal: (name) => void child.kill(name),
    kill: () => killed(child),
  };
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
