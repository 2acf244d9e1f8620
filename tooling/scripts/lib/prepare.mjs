import { root, toolEnvironment } from './paths.mjs';
import { run } from './run.mjs';

/**
 * Brings `node_modules` to what the lockfile says. pnpm compares first and is done within a second when nothing
 * changed, so there is no stamp of our own to go stale.
 */
export function install() {
  return run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], {
    cwd: root,
    env: toolEnvironment(),
  });
}

/** Builds one workspace package with everything below it, from turbo's cache where the inputs are the same. */
export function build(name) {
  const args = ['run', 'build', `--filter=${name}...`, '--no-daemon', '--output-logs=errors-only'];
  return run('turbo', args, { cwd: root, env: toolEnvironment() });
}
