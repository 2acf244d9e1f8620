import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PACKAGES } from './packages.ts';
import { parse, root, sourcesOf, starExports } from './sources.ts';

const SOURCES = Object.keys(PACKAGES).flatMap((name) => sourcesOf(name).map((file) => ({ name, file })));

/** What is in the repository, or would be with the next `git add`. */
const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));

const CODE = FILES.filter((file) => /\.(ts|tsx|mjs)$/.test(file));
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('sources', () => {
  it('no file is longer than 300 lines', () => {
    const long = CODE.map((file) => ({ file, lines: textOf(file).split('\n').length - 1 }));
    expect(long.filter(({ lines }) => lines > 300)).toEqual([]);
  });

  it('nothing is exported by a star', () => {
    const stars = SOURCES.filter(({ name, file }) => starExports(parse(name, file)).length > 0);
    expect(stars.map(({ name, file }) => `${name}/${file}`)).toEqual([]);
  });

  it('no package reads the environment: what varies is an option', () => {
    const reading = SOURCES.filter(({ name, file }) =>
      /\bprocess\.env\b/.test(textOf(`packages/${name}/${file}`)),
    );
    expect(reading.map(({ name, file }) => `${name}/${file}`)).toEqual([]);
  });

  it('no test is switched off or run alone', () => {
    const switched = CODE.filter((file) => /\b(?:it|test|describe)\.(?:only|skip|todo)\b/.test(textOf(file)));
    expect(switched.filter((file) => file !== 'test/topology/hygiene.test.ts')).toEqual([]);
  });

  it('no file names a place of the machine that it was written on, nor a private registry', () => {
    const text = FILES.filter((file) =>
      /\.(ts|tsx|mjs|json|md|yaml|css|html)$|^\.(npmrc|ci\/run)$/.test(file),
    );
    const place = /(?:^|[\s'"`(=])\/(?:work|root)\/|https?:\/\/[^/\s]*(?:registry|artifact|pypi)/m;
    expect(
      text.filter((file) => place.test(textOf(file)) && file !== 'test/topology/hygiene.test.ts'),
    ).toEqual([]);
  });
});

describe('the release', () => {
  it('moves all packages together until 1.0', () => {
    const config = JSON.parse(textOf('.changeset/config.json')) as { fixed: string[][]; access: string };
    const all = Object.keys(PACKAGES).map((name) => `@backstitch/${name}`);
    expect(config.fixed.map((group) => group.sort())).toEqual([all.sort()]);
    expect(config.access).toBe('public');
  });

  it('is described by changesets or has been given a number', () => {
    const waiting = readdirSync(join(root, '.changeset')).filter((file) =>
      /^(?!README)[^.]+\.md$/.test(file),
    );
    const versions = Object.keys(PACKAGES).map(
      (name) => (JSON.parse(textOf(`packages/${name}/package.json`)) as { version: string }).version,
    );
    expect(new Set(versions).size).toBe(1);
    expect(waiting.length > 0 || versions[0] !== '0.0.0').toBe(true);
  });
});

describe('the documents', () => {
  it('README shows the wiring that is type-checked, byte for byte', () => {
    const code = textOf('test/topology/readme-wiring.ts').replace(/^\/\/ .*\n/, '');
    expect(textOf('README.md')).toContain(`\n\`\`\`ts\n${code}\`\`\`\n`);
    expect(code.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(24);
  });

  it('README has a row for each package', () => {
    const rows = [...textOf('README.md').matchAll(/^\| \[`@backstitch\/([^`]+)`\]\(packages\/\1\) \|/gm)];
    expect(rows.map(([, name]) => name).sort()).toEqual(Object.keys(PACKAGES).sort());
  });

  it('every relative link of a document leads to a file', () => {
    const dead = FILES.filter((file) => file.endsWith('.md') && !file.startsWith('test/cases/')).flatMap(
      (file) =>
        [...textOf(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)]
          .filter(([, target = '']) => !existsSync(join(root, file, '..', target)))
          .map(([, target]) => `${file}: ${target}`),
    );
    expect(dead).toEqual([]);
  });

  it('decisions are numbered, and each names its context, decision, consequences and rejected alternatives', () => {
    const files = readdirSync(join(root, 'docs/adr')).filter((file) => file.endsWith('.md'));
    for (const file of files) {
      expect(file).toMatch(/^\d{4}-[a-z0-9-]+\.md$/);
      const headings = [...textOf(`docs/adr/${file}`).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
      expect(headings, file).toEqual(['Context', 'Decision', 'Consequences', 'Rejected alternatives']);
    }
    expect(files.length).toBeGreaterThanOrEqual(8);
  });
});

describe('the suites', () => {
  it('every directory with a vitest configuration has its line in tooling/suites.mjs', () => {
    const lines = textOf('tooling/suites.mjs');
    const configured = FILES.filter((file) => /(?:^|\/)vitest\.config\.ts$/.test(file)).map((file) =>
      file.replace(/\/vitest\.config\.ts$/, ''),
    );
    expect(configured.filter((directory) => !lines.includes(`'${directory}'`))).toEqual([]);
  });
});
