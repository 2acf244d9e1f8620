import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { root, run, temporary } from './shell.ts';
import { foreignRanges, overrides } from './workspace.ts';

const { tarballs, home } = inject('packed');

interface Manifest {
  scripts: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  overrides?: Record<string, string>;
}

const EXAMPLES = readdirSync(join(root, 'examples')).filter((name) =>
  existsSync(join(root, 'examples', name, 'package.json')),
);

describe('out of the repository, with the packed packages', () => {
  it.each(EXAMPLES)('%s builds and passes its own check', async (name) => {
    const { directory, remove } = temporary(name);
    try {
      copyExample(name, directory);
      await run(
        'npm',
        ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'],
        directory,
        home,
      );
      await run('npm', ['run', '--silent', 'build'], directory, home);
      const output = await run('npm', ['run', '--silent', 'check'], directory, home);
      expect(output).not.toBe('');
    } finally {
      remove();
    }
  });
});

/** What git would carry over, with ranges that npm understands. */
function copyExample(name: string, directory: string): void {
  const source = join(root, 'examples', name);
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const files = execFileSync('git', listed, { cwd: source, encoding: 'utf8' }).split('\0');
  for (const file of files.filter((file) => file !== '' && existsSync(join(source, file)))) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    cpSync(join(source, file), join(directory, file));
  }
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Manifest;
  const dependencies = foreignRanges(manifest.dependencies ?? {}, tarballs);
  const devDependencies = foreignRanges(manifest.devDependencies ?? {}, tarballs);
  const own = overrides(tarballs, { ...dependencies, ...devDependencies });
  writeFileSync(
    join(directory, 'package.json'),
    JSON.stringify({ ...manifest, dependencies, devDependencies, overrides: own }),
  );
}
