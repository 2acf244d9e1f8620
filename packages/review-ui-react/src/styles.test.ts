// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./styles.css', import.meta.url), 'utf8');

/** The colours that a block sets. */
function coloursAfter(selector: string): Record<string, string> {
  const at = css.indexOf(selector);
  expect(at).toBeGreaterThan(-1);
  const block = css.slice(at, css.indexOf('}', at));
  return Object.fromEntries(
    [...block.matchAll(/--review-([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
  );
}

const LIGHT = coloursAfter(':where(:root, [data-theme="light"]) {');
const DARK = coloursAfter(':where([data-theme="dark"]) {');
const SYSTEM_DARK = coloursAfter(':where(:root:not([data-theme="light"])) {');

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}

/** What is written on what. */
const TEXT_ON: [string, string][] = [
  ...['bg', 'bg-raised', 'bg-hover', 'added-bg', 'deleted-bg', 'warn-bg', 'problem-bg'].map(
    (on): [string, string] => ['text', on],
  ),
  ...[
    'bg',
    'bg-raised',
    'bg-hover',
    'added-gutter',
    'deleted-gutter',
    'warn-bg',
    'problem-bg',
    'added-bg',
    'deleted-bg',
    'hunk-bg',
  ].map((on): [string, string] => ['muted', on]),
  ...['bg', 'bg-raised', 'added-bg', 'added-gutter'].map((on): [string, string] => ['added', on]),
  ...['bg', 'bg-raised', 'deleted-bg', 'deleted-gutter'].map((on): [string, string] => ['deleted', on]),
  ['hunk-text', 'hunk-bg'],
  ['accent', 'bg'],
  ['warn', 'warn-bg'],
  ['warn', 'bg-raised'],
  ['problem', 'problem-bg'],
  ['problem', 'bg'],
  ['token-text', 'token-bg'],
];

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
])('the %s colours', (_, colours) => {
  it.each(TEXT_ON)('%s can be read on %s (AA)', (text, on) => {
    expect(contrast(colours[text]!, colours[on]!)).toBeGreaterThanOrEqual(4.5);
  });
});

it('has the same dark colours for the system and for data-theme, and no colour in one theme only', () => {
  expect(SYSTEM_DARK).toEqual(DARK);
  expect(Object.keys(DARK)).toEqual(Object.keys(LIGHT));
});

it('uses no variable that it does not set', () => {
  const used = new Set([...css.matchAll(/var\(--review-([\w-]+)/g)].map(([, name]) => name));
  const fromTheParts = ['columns', 'digits', 'row-height'];
  for (const name of used)
    expect(css.includes(`--review-${name}:`) || fromTheParts.includes(name!)).toBe(true);
});

it('dresses only parts that are drawn', () => {
  const folder = new URL('./', import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.tsx'),
  );
  const drawn = sources.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  const parts = new Set([...css.matchAll(/data-part="(review-[\w-]+)"/g)].map(([, part]) => part!));
  expect(parts.size).toBeGreaterThan(30);
  expect([...parts].filter((part) => !drawn.includes(`"${part}"`))).toEqual([]);
});
