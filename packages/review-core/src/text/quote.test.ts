import { describe, expect, it } from 'vitest';
import { quoteName } from './quote.ts';

describe('quoteName', () => {
  it.each([
    ['a/plain.txt', 'a/plain.txt'],
    ['a/with space', 'a/with space'],
    ['a/tab\there "q" é.txt', '"a/tab\\there \\"q\\" \\303\\251.txt"'],
    ['a/new\nline\r\x07\b\v\f\x1b\x7f', '"a/new\\nline\\r\\a\\b\\v\\f\\033\\177"'],
    ['a/odd\\name', '"a/odd\\\\name"'],
    ['a/🚀', '"a/\\360\\237\\232\\200"'],
  ])('writes %j as git does', (name, written) => {
    expect(quoteName(name)).toBe(written);
  });
});
