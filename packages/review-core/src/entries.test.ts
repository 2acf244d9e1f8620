import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Packages that an entry loads, over all files of ours that it reaches. Types cost nothing and don't count. */
function loaded(entry: string): string[] {
  const packages = new Set<string>();
  const files = new Set([new URL(entry, import.meta.url).href]);
  for (const file of files) {
    for (const [, specifier] of readFileSync(new URL(file), 'utf8').matchAll(
      /^(?:import|export)\s(?!type\b)(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]/gm,
    )) {
      if (specifier!.startsWith('.')) files.add(new URL(specifier!, file).href);
      else packages.add(specifier!);
    }
  }
  return [...packages].sort();
}

describe('what an entry loads', () => {
  it.each([
    ['./evidence.ts', []],
    ['./schema.ts', ['zod/mini']],
    ['./index.ts', ['@noble/hashes/sha2.js', 'diff']],
  ])('%s: %j', (entry, packages) => {
    expect(loaded(entry)).toEqual(packages);
  });
});
