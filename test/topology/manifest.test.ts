import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PACKAGES } from './packages.ts';
import { root } from './sources.ts';

type Conditions = Record<string, string>;
interface Manifest {
  name: string;
  license: string;
  type: string;
  engines: Record<string, string>;
  sideEffects: boolean | string[];
  repository: Record<string, string>;
  files: string[];
  exports: Record<string, Conditions | string>;
  publishConfig: { access: string; provenance: boolean; exports: Record<string, Conditions | string> };
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const read = (name: string, file: string): string => readFileSync(join(root, 'packages', name, file), 'utf8');
const manifestOf = (name: string): Manifest => JSON.parse(read(name, 'package.json')) as Manifest;

it('the packages are exactly these', () => {
  expect(readdirSync(join(root, 'packages')).sort()).toEqual(Object.keys(PACKAGES).sort());
});

describe.each(Object.entries(PACKAGES))('%s', (name, facts) => {
  const manifest = manifestOf(name);

  it('offers exactly its entries', () => {
    expect(Object.keys(manifest.exports).sort()).toEqual(
      [...Object.keys(facts.entries), ...facts.files, './package.json'].sort(),
    );
  });

  it.each(Object.entries(facts.entries))(
    'entry %s names its source, its types and its module',
    (key, entry) => {
      const built = entry.source.replace(/^src\//, './dist/').replace(/\.ts$/, '');
      expect(Object.entries(manifest.exports[key] as Conditions)).toEqual([
        ['@backstitch/source', `./${entry.source}`],
        ['types', `${built}.d.ts`],
        ['default', `${built}.js`],
      ]);
      expect(existsSync(join(root, 'packages', name, entry.source))).toBe(true);
    },
  );

  it('is published with the same entries, without the private condition', () => {
    const published = Object.entries(manifest.exports).map(([key, value]) => {
      if (typeof value === 'string') return [key, value];
      const { '@backstitch/source': _source, ...conditions } = value;
      return [key, conditions];
    });
    expect(manifest.publishConfig).toEqual({
      access: 'public',
      provenance: true,
      exports: Object.fromEntries(published),
    });
  });

  it('depends on exactly these', () => {
    expect(Object.keys(manifest.dependencies ?? {}).sort()).toEqual(facts.dependencies);
    expect(Object.keys(manifest.peerDependencies ?? {}).sort()).toEqual(facts.peers);
    for (const [dependency, range] of Object.entries(manifest.dependencies ?? {})) {
      expect(range).toBe(dependency.startsWith('@backstitch/') ? 'workspace:^' : 'catalog:');
    }
  });

  it('says under which terms and where it runs', () => {
    expect(manifest).toMatchObject({
      name: `@backstitch/${name}`,
      license: 'MIT',
      type: 'module',
      engines: { node: '>=20.19' },
      sideEffects: facts.files.length === 0 ? false : ['**/*.css'],
      repository: { type: 'git', directory: `packages/${name}` },
    });
    expect(read(name, 'LICENSE')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
  });

  it('ships its build, its styles and its texts, never a test or a source', () => {
    expect(manifest.files.filter((file) => !file.startsWith('!')).sort()).toEqual(
      [
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'dist',
        ...(facts.files.length === 0 ? [] : ['src/styles.css']),
      ].sort(),
    );
  });

  it('has a README that says in one sentence what it is', () => {
    const [title, empty, sentence] = read(name, 'README.md').split('\n');
    expect(title).toBe(`# @backstitch/${name}`);
    expect(empty).toBe('');
    expect(sentence).toMatch(/^[A-Z][^.]*(\.\w[^.]*)*\.$/);
  });
});
