import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root: string = fileURLToPath(new URL('../..', import.meta.url));
const exec = promisify(execFile);

/**
 * Runs one command as a stranger would: in a home of its own, without the settings that an outer `npm` hands down.
 * Fails with all that the command printed.
 */
export async function run(command: string, args: string[], cwd: string, home: string): Promise<string> {
  try {
    const { stdout } = await exec(command, args, {
      cwd,
      env: strangersEnvironment(home),
      maxBuffer: 1 << 26,
    });
    return stdout;
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout?: string; stderr?: string; code?: unknown };
    throw new Error(`${command} ${args.join(' ')} ended with ${code}\n${stdout}\n${stderr}`, {
      cause: error,
    });
  }
}

function strangersEnvironment(home: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|pnpm_|vitest|node_env)/i.test(name),
  );
  const registry = process.env.npm_config_registry;
  return {
    ...Object.fromEntries(inherited),
    ...(registry === undefined ? {} : { npm_config_registry: registry }),
    HOME: home,
    PATH: [join(root, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter),
  };
}

/** An empty folder below the system's temporary one, and the way to remove it. */
export function temporary(name: string): { directory: string; remove: () => void } {
  const directory = mkdtempSync(join(tmpdir(), `backstitch-${name}-`));
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
