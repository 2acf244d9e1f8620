import { describe, expect, it } from 'vitest';
import { NODE_CORNERS, PACKAGES, VALUE_ARROWS } from './packages.ts';
import { importsOf, parse, sourcesOf, within } from './sources.ts';

interface Edge {
  file: string;
  specifier: string;
  typeOnly: boolean;
  later: boolean;
}

function edgesOf(name: string): Edge[] {
  return sourcesOf(name).flatMap((file) => importsOf(parse(name, file)).map((found) => ({ file, ...found })));
}

const tell = (edges: readonly Edge[]): string =>
  edges.map(({ file, specifier }) => `${file} → ${specifier}`).join('\n');
const packageOf = (specifier: string): string => /^(@[^/]+\/[^/]+|[^/]+)/.exec(specifier)?.[0] ?? specifier;

describe.each(Object.keys(PACKAGES))('%s', (name) => {
  const edges = edgesOf(name);
  const outside = edges.filter(({ file, specifier }) => within(file, specifier) === null);

  it('imports only what its manifest declares, and of itself only by relative paths', () => {
    const facts = PACKAGES[name];
    const declared = new Set([...(facts?.dependencies ?? []), ...(facts?.peers ?? [])]);
    const undeclared = outside.filter(
      ({ specifier }) => !specifier.startsWith('node:') && !declared.has(packageOf(specifier)),
    );
    expect(tell(undeclared)).toBe('');
  });

  it('uses only types of a package to which no value arrow leads', () => {
    const arrows = VALUE_ARROWS[name] ?? [];
    const own = outside.filter(
      ({ specifier, typeOnly }) => specifier.startsWith('@backstitch/') && !typeOnly,
    );
    const allowed = (specifier: string): boolean =>
      arrows.some(
        (arrow) =>
          specifier === arrow || (arrow.split('/').length === 2 && specifier.startsWith(`${arrow}/`)),
      );
    expect(tell(own.filter(({ specifier }) => !allowed(specifier)))).toBe('');
  });

  it('never reaches into a folder outside of its sources', () => {
    const leaving = edges.filter(
      ({ file, specifier }) => within(file, specifier)?.startsWith('src/') === false,
    );
    expect(tell(leaving)).toBe('');
  });

  it('has no cycle among its modules', () => {
    expect(firstCycle(edges)?.join(' → ')).toBeUndefined();
  });
});

describe.each(Object.entries(NODE_CORNERS))('%s runs anywhere', (name, corners) => {
  it('loads no node: module outside of its Node entry', () => {
    const found = edgesOf(name).filter(
      ({ file, specifier }) =>
        specifier.startsWith('node:') &&
        !corners.some((corner) => file.startsWith(corner)) &&
        // The contract suites assert with node:assert, so that any runner fits.
        !(file.startsWith('src/testing/') && specifier === 'node:assert/strict'),
    );
    expect(tell(found)).toBe('');
  });
});

describe('what an entry loads', () => {
  const entries = Object.entries(PACKAGES).flatMap(([name, { entries }]) =>
    Object.entries(entries).map(([key, entry]) => ({ name, key, ...entry })),
  );
  it.each(entries)('$name $key', ({ name, source, loads }) => {
    expect([...loadedBy(name, source)].sort().join(' ')).toBe([...loads].sort().join(' '));
  });
});

/** The foreign modules behind one entry, own packages followed through their own entries. */
function loadedBy(name: string, entry: string, seen: Set<string> = new Set()): Set<string> {
  const foreign = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(`${name}:${file}`)) return;
    seen.add(`${name}:${file}`);
    for (const { specifier, typeOnly, later } of importsOf(parse(name, file))) {
      if (typeOnly || later) continue;
      const inside = within(file, specifier);
      if (inside !== null) visit(inside);
      else for (const module of followOwn(specifier, seen)) foreign.add(module);
    }
  };
  visit(entry);
  return foreign;
}

function followOwn(specifier: string, seen: Set<string>): Iterable<string> {
  const own = /^@backstitch\/([^/]+)(\/.*)?$/.exec(specifier);
  if (own === null) return [specifier];
  const [, name = '', key = ''] = own;
  const entry = PACKAGES[name]?.entries[`.${key}`];
  if (entry === undefined) throw new Error(`${specifier} is not an entry of a package`);
  return loadedBy(name, entry.source, seen);
}

function firstCycle(edges: readonly Edge[]): string[] | null {
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): string[] | null => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const edge of edges) {
      if (edge.file !== file || edge.typeOnly || edge.later) continue;
      const next = within(file, edge.specifier);
      const cycle = next === null ? null : visit(next, [...trail, file]);
      if (cycle !== null) return cycle;
    }
    done.add(file);
    return null;
  };
  for (const { file } of edges) {
    const cycle = visit(file, []);
    if (cycle !== null) return cycle;
  }
  return null;
}
