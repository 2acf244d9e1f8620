import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES, ReviewError } from './errors.ts';

const packageFile = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

describe('ReviewError', () => {
  it('has these codes, for ever', () => {
    expect(ERROR_CODES).toEqual([
      'invalidArgument',
      'pathRefused',
      'unknownRecord',
      'unknownCall',
      'requestReused',
      'callReused',
      'changedSinceRead',
      'captureFailed',
      'unsupportedKind',
      'busy',
      'lockLost',
      'storePlacement',
      'storeDamaged',
      'storeReadOnly',
      'storeFailed',
      'fileFailed',
      'cursorExpired',
      'notAllowed',
      'closed',
    ]);
  });

  it('is recognised by its brand, whichever copy of the package made it', () => {
    const foreign = Object.defineProperty(new Error('x'), Symbol.for('@backstitch/ReviewError'), {
      value: true,
    });
    expect(ReviewError.isInstance(foreign)).toBe(true);
    expect(ReviewError.isInstance(new ReviewError('closed', 'x'))).toBe(true);
    for (const other of [new Error('x'), null, 'x', { code: 'closed' }]) {
      expect(ReviewError.isInstance(other)).toBe(false);
    }
  });

  it('tells the path, the word of the system and the cause, where they are known', () => {
    const cause = new Error('below');
    const error = new ReviewError('fileFailed', 'said', { path: 'a', errno: 'ENOSPC', cause });
    expect(error).toMatchObject({
      name: 'ReviewError',
      message: 'said',
      code: 'fileFailed',
      path: 'a',
      errno: 'ENOSPC',
      cause,
    });
    expect(new ReviewError('closed', 'x')).toMatchObject({ path: null, errno: null });
  });
});

describe('the README', () => {
  it('opens with the sentence of the package', () => {
    const { description } = JSON.parse(packageFile('package.json')) as { description: string };
    expect(packageFile('README.md').split('\n')[2]).toBe(description);
  });

  it('has one heading for each code', () => {
    const headings = [...packageFile('README.md').matchAll(/^### `(\w+)`$/gm)].map(([, code]) => code);
    expect(headings).toEqual(ERROR_CODES);
  });
});
