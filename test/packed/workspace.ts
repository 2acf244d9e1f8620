import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './shell.ts';

/** The versions of the workspace's catalog, by package. */
export function catalog(): Record<string, string> {
  const text = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
  const block = /^catalog:\n((?: {2}.*\n)+)/m.exec(text)?.[1] ?? '';
  const lines = [...block.matchAll(/^ {2}'?([^':]+)'?: '?([^'\n]+)'?$/gm)];
  return Object.fromEntries(lines.map(([, name, version]) => [name, version]));
}

type Ranges = Record<string, string>;

/** Ranges as npm takes them: the tarballs in the place of `workspace:`, versions in the place of `catalog:`. */
export function foreignRanges(ranges: Ranges, tarballs: Ranges): Ranges {
  const versions = catalog();
  const resolved = Object.entries(ranges).map(([name, range]) => {
    const found = range.startsWith('workspace:')
      ? `file:${tarballs[name]}`
      : range === 'catalog:'
        ? versions[name]
        : range;
    if (found === undefined) throw new Error(`the catalog has no version of ${name}`);
    return [name, found];
  });
  return Object.fromEntries(resolved);
}

/** Makes npm take every own package from its tarball, wherever it is asked for. */
export function overrides(tarballs: Ranges, direct: Ranges): Ranges {
  return Object.fromEntries(
    Object.entries(tarballs).map(([name, file]) => [
      name,
      direct[name] === undefined ? `file:${file}` : `$${name}`,
    ]),
  );
}
