import { spawn } from 'node:child_process';

/**
 * Runs a command without a terminal and gathers what it prints, both streams in the order in which they came.
 * Never rejects: a command that can't be started answers with code 127. `minutes` bounds it; after that the whole
 * process group is ended, so that no grandchild (a browser, a host) stays behind.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, minutes?: number }} [options]
 * @returns {Promise<{ code: number, output: string, seconds: number, timedOut: boolean }>}
 */
export function run(command, args, { cwd, env, minutes = 10 } = {}) {
  return new Promise((resolve) => {
    const started = performance.now();
    const chunks = [];
    let timedOut = false;
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup(child.pid, 'SIGKILL');
    }, minutes * 60_000);
    const done = (code) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ code, output: chunks.join(''), seconds: (performance.now() - started) / 1000, timedOut });
    };
    running.add(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => chunks.push(text));
    }
    child.on('error', (error) => {
      chunks.push(`${command} could not be started: ${error.message}\n`);
      done(127);
    });
    child.on('close', (code, signal) => done(code ?? (signal === null ? 1 : 128)));
  });
}

const running = new Set();

/** Ends every command that is still running, with what it started; for an interrupted run. */
export function endAll() {
  for (const child of running) endGroup(child.pid, 'SIGKILL');
}

function endGroup(pid, signal) {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch (error) {
    // The group ended between the timer and the signal.
    if (error.code !== 'ESRCH') throw error;
  }
}
