import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface RunningHost {
  url: string;
  stop(): Promise<void>;
}

/** The host in a process of its own, as `npm start` runs it; so that a restart is a real one. */
export async function runHost(state: string): Promise<RunningHost> {
  const main = fileURLToPath(new URL('./main.js', import.meta.url));
  const child = spawn(process.execPath, [main, '--state', state], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const url = await Promise.race([readUrl(child.stdout), ended.then(() => null)]);
  if (url === null) throw new Error(`The host ended with code ${child.exitCode} before it served its page.`);
  return {
    url,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
}

async function readUrl(output: NodeJS.ReadableStream): Promise<string | null> {
  for await (const line of createInterface({ input: output })) {
    const url = /^Review at\s+(\S+)/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  return null;
}
