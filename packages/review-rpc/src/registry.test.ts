import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { MethodKey } from './calls.ts';
import * as registry from './registry.ts';
import { methodSchemas } from './schema.ts';

interface JsonSchema {
  type?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  additionalProperties?: unknown;
  maxLength?: number;
  minLength?: number;
  maxItems?: number;
  maximum?: number;
  anyOf?: JsonSchema[];
  const?: unknown;
}

const METHODS = Object.entries(registry).map(([key, method]) => ({ key: key as MethodKey, ...method }));
const paramsOf = (key: MethodKey): JsonSchema => z.toJSONSchema(methodSchemas[key].params) as JsonSchema;

const PLACES = new Set(
  [
    ...[
      'path',
      'file',
      'filename',
      'filepath',
      'dir',
      'dirname',
      'directory',
      'directories',
      'folder',
      'root',
    ],
    ...['cwd', 'uri', 'url', 'href', 'location', 'target', 'glob', 'link', 'basename', 'name'],
  ].flatMap((word) => [word, `${word}s`]),
);

/** Whether one of the words of a camel-case name could let a client name a place. */
function namesPlace(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^A-Za-z0-9]+/);
  return words.some((word) => PLACES.has(word.toLowerCase()));
}

function walk(schema: JsonSchema, visit: (name: string, schema: JsonSchema) => void): void {
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    visit(name, member);
    walk(member, visit);
  }
  if (schema.items) visit('item', schema.items);
  for (const branch of schema.anyOf ?? []) walk(branch, visit);
}

it('lists exactly these methods, each under its own name', () => {
  expect(METHODS.map(({ name }) => name)).toEqual(
    ['context', 'discover', 'get', 'keep', 'list', 'rollback', 'rounds', 'unkeep'].map(
      (key) => `review.${key}`,
    ),
  );
  for (const { key, name, since } of METHODS) {
    expect(name).toBe(`review.${key}`);
    expect(since).toMatch(/^\d+\.\d+\.\d+$/);
  }
});

describe.each(METHODS)('$name', ({ key }) => {
  it('[G12] has no param that could name a place on disk', () => {
    walk(paramsOf(key), (name, { description = '' }) => {
      expect([name, namesPlace(name)]).toEqual([name, false]);
      expect(description.toLowerCase()).not.toMatch(/\b(?:paths?|files?|director(?:y|ies)|folders?)\b/);
    });
  });

  it('bounds every param, and refuses one that it does not know', () => {
    const schema = paramsOf(key);
    expect(schema.additionalProperties).toBe(false);
    walk(schema, (name, member) => {
      if (member.type === 'string') expect([name, member.maxLength]).toEqual([name, expect.any(Number)]);
      if (member.type === 'array') expect([name, member.maxItems]).toEqual([name, expect.any(Number)]);
      if (member.type === 'integer') expect([name, member.maximum]).toEqual([name, expect.any(Number)]);
      expect(member.type === undefined ? member.anyOf?.every((branch) => 'const' in branch) : true).toBe(
        true,
      );
    });
  });
});

it('knows a place by its words', () => {
  for (const name of [
    'path',
    'filePath',
    'root',
    'targetUri',
    'dirname',
    'fileName',
    'workspaceRoot',
    'URL',
  ]) {
    expect([name, namesPlace(name)]).toEqual([name, true]);
  }
  for (const name of ['sessionId', 'snapshotIds', 'runs', 'requestId', 'profile', 'director', 'grassroots']) {
    expect([name, namesPlace(name)]).toEqual([name, false]);
  }
});
