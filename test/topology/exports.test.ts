import { describe, expect, it } from 'vitest';
import { PACKAGES } from './packages.ts';
import { PUBLIC_NAMES } from './public-names.ts';
import { exportedTypes, parse, starExports } from './sources.ts';

const ENTRIES = Object.entries(PACKAGES).flatMap(([name, { entries }]) =>
  Object.entries(entries).map(([key, { source }]) => ({
    name,
    source,
    specifier: key === '.' ? `@backstitch/${name}` : `@backstitch/${name}${key.slice(1)}`,
  })),
);

it('the entries with public names are exactly the entries of the packages', () => {
  expect(Object.keys(PUBLIC_NAMES).sort()).toEqual(ENTRIES.map(({ specifier }) => specifier).sort());
});

describe.each(ENTRIES)('$specifier', ({ name, source, specifier }) => {
  it('exports exactly these values', async () => {
    const module = (await import(specifier)) as Record<string, unknown>;
    expect(Object.keys(module).sort()).toEqual([...(PUBLIC_NAMES[specifier]?.values ?? [])].sort());
  });

  it('exports exactly these types, each by its name', () => {
    const file = parse(name, source);
    expect(starExports(file)).toEqual([]);
    expect(exportedTypes(file).sort()).toEqual([...(PUBLIC_NAMES[specifier]?.types ?? [])].sort());
  });
});
