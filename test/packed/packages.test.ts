import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { CONSUMERS, type Consumer } from './consumers.ts';
import { run, temporary } from './shell.ts';
import { foreignRanges, overrides } from './workspace.ts';

const { tarballs, home } = inject('packed');
const INSTALL = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

describe.each(Object.entries(tarballs))('%s', (_name, tarball) => {
  it('packs its build, its texts and its styles, and nothing else', async () => {
    const files = (await run('tar', ['-tzf', tarball], home, home)).trim().split('\n');
    const built = /^package\/dist\/(?!.*(?:\.test\.|\.fixture\.|tsbuildinfo)).+\.(?:js|d\.ts)(?:\.map)?$/;
    const texts = /^package\/(?:package\.json|README\.md|CHANGELOG\.md|LICENSE|src\/styles\.css)$/;
    expect(files.filter((file) => !built.test(file) && !texts.test(file))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining(['package/LICENSE', 'package/README.md', 'package/dist/index.js']),
    );
  });

  it('has a manifest for strangers: no source condition, no workspace or catalog range', async () => {
    const manifest = await run('tar', ['-xzOf', tarball, 'package/package.json'], home, home);
    expect(manifest).not.toMatch(/@backstitch\/source|"workspace:|"catalog:|\.\/src\/(?!styles\.css)/);
  });
});

it('every package has a consumer', () => {
  const consumed = new Set(CONSUMERS.map(({ packages }) => `@backstitch/${packages[0]}`));
  expect([...consumed].sort()).toEqual(Object.keys(tarballs).sort());
});

describe.concurrent('alone in an empty folder', () => {
  it.each(CONSUMERS)('$name installs, type-checks and runs', async (consumer) => {
    const { directory, remove } = temporary(consumer.name);
    try {
      prepare(directory, consumer);
      await run('npm', INSTALL, directory, home);
      await compile(directory, consumer);
      expect(await run(process.execPath, ['dist/consumer.js'], directory, home)).toBe('ok\n');
    } finally {
      remove();
    }
  });
});

function prepare(directory: string, consumer: Consumer): void {
  cpSync(join(import.meta.dirname, 'consumers', consumer.name), directory, { recursive: true });
  const own = consumer.packages.map((name) => [`@backstitch/${name}`, 'workspace:^']);
  const foreign = consumer.also.map((name) => [name, 'catalog:']);
  const dependencies = foreignRanges(Object.fromEntries([...own, ...foreign]), tarballs);
  const manifest = {
    private: true,
    type: 'module',
    dependencies,
    overrides: overrides(tarballs, dependencies),
  };
  writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest));
}

/** With the newest compiler and with the one before it, libraries' own types checked too; the last one emits. */
async function compile(directory: string, { browser }: Consumer): Promise<void> {
  const source = readdirSync(directory).find((file) => file.startsWith('consumer.')) as string;
  const config = {
    compilerOptions: {
      ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, types: ['node'] },
      ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'], jsx: 'react-jsx', outDir: 'dist' },
    },
    files: [source],
  };
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(config));
  const bundler = ['--noEmit', '--module', 'esnext', '--moduleResolution', 'bundler'];
  if (browser) await run('tsc', bundler, directory, home);
  await run('tsc6', ['--noEmit', '--module', 'nodenext'], directory, home);
  await run('tsc', ['--module', 'nodenext'], directory, home);
}
