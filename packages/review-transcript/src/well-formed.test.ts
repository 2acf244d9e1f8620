import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toWellFormedValue } from './index.ts';

const read = (text: string): unknown => toWellFormedValue(JSON.parse(text), Buffer.from(text));

it('[C055] puts U+FFFD for each lone half, in values and in names, and leaves pairs alone', () => {
  expect(read('{"a":"cut \\ud83d…","b":["\\uDE00",{"c":"\\ud83d\\ude00"}],"\\ud800k":1}')).toEqual({
    a: 'cut \ufffd…',
    b: ['\ufffd', { c: '😀' }],
    '\ufffdk': 1,
  });
  expect(read('"\\ud83d"')).toBe('\ufffd');
});

it('keeps a member called __proto__ a member', () => {
  const value = read('{"__proto__":"\\ud83d"}') as object;
  expect(Object.getOwnPropertyDescriptor(value, '__proto__')?.value).toBe('\ufffd');
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

it('survives a line that is nested 100,000 deep', () => {
  let value: unknown = read(`${'['.repeat(100_000)}"\\ud83d"${']'.repeat(100_000)}`);
  while (Array.isArray(value)) value = value[0];
  expect(value).toBe('\ufffd');
});

it('gives back well formed JSON as it is', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(read(text)).toEqual(JSON.parse(text));
    }),
  );
});
