import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, toolEnvironment } from './paths.mjs';
import { run } from './run.mjs';

/**
 * Brings `node_modules` to what the lockfile says, on a machine that has only Node and npm: pnpm itself, in the
 * version of `packageManager`, comes through npx, and its directory is put on this process's PATH, since turbo and
 * publint start it too. pnpm compares first and is done within a second when nothing changed, so there is no stamp of
 * our own to go stale.
 */
export async function install() {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const pnpm = await run('npx', ['-y', '-p', packageManager, 'node', '-p', '"PATH=" + process.env.PATH'], {
    cwd: root,
  });
  const path = /^PATH=(.*)$/m.exec(pnpm.output);
  if (pnpm.code !== 0 || path === null) return { ...pnpm, code: pnpm.code || 1 };
  process.env.PATH = path[1];
  return run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], {
    cwd: root,
    env: toolEnvironment(),
  });
}

/** Builds one workspace package with everything below it, from turbo's cache where the inputs are the same. */
export function build(name) {
  const args = ['run', 'build', `--filter=${name}...`, '--output-logs=errors-only'];
  return run('turbo', args, { cwd: root, env: toolEnvironment() });
}
