import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, texts } from '../test-support/property.ts';
import { ReviewError } from './errors.ts';
import { facetsOf, previewChange } from './preview.ts';
import type { FileState } from './record/v1.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const numbered = (count: number, name: (index: number) => string): Uint8Array =>
  bytes(Array.from({ length: count }, (_, index) => `${name(index)}\n`).join(''));

describe('what a preview is of', () => {
  it('tells an empty file from no file', () => {
    const nothing = { evidence: 'text', additions: 0, deletions: 0, hunks: [] };
    expect(previewChange(null, bytes(''))).toEqual({ ...nothing, facets: ['content'] });
    expect(previewChange(bytes(''), null)).toEqual({ ...nothing, facets: ['content'] });
    expect(previewChange(bytes(''), bytes(''))).toEqual({ ...nothing, facets: [] });
    expect(previewChange(null, null)).toEqual({ ...nothing, facets: [] });
  });

  it('shows an added and a deleted file whole', () => {
    expect(previewChange(null, bytes('a\nb')).hunks).toMatchObject([
      { header: '@@ -0,0 +1,2 @@', lines: ['+a', '+b', '\\ No newline at end of file'] },
    ]);
    expect(previewChange(bytes('a\n'), null).hunks).toMatchObject([
      { header: '@@ -1 +0,0 @@', lines: ['-a'] },
    ]);
  });

  it('[P3] takes bytes with a NUL, and bytes that are not UTF-8, for no text, on either side', () => {
    const binary = { evidence: 'binary', additions: null, deletions: null, hunks: [], facets: ['content'] };
    for (const odd of [
      bytes('a\0b'),
      new Uint8Array([0xff]),
      new Uint8Array([0xc3]),
      new Uint8Array([0xed, 0xa0, 0x80]),
    ]) {
      expect(previewChange(odd, bytes('a\n'))).toEqual(binary);
      expect(previewChange(bytes('a\n'), odd)).toEqual(binary);
      expect(previewChange(null, odd)).toEqual(binary);
      expect(previewChange(odd, odd)).toEqual({ ...binary, facets: [] });
    }
    const late = bytes(`${'x'.repeat(9000)}\0`);
    expect(previewChange(null, late).evidence).toBe('binary');
  });

  it('[P6] shows 5 lines around a change, and joins changes whose contexts touch', () => {
    const edit = (...at: number[]) =>
      previewChange(
        numbered(40, (index) => `${index}`),
        numbered(40, (index) => (at.includes(index) ? 'x' : `${index}`)),
      ).hunks.map((hunk) => hunk.header);
    expect(edit(20)).toEqual(['@@ -16,11 +16,11 @@']);
    expect(edit(10, 21)).toEqual(['@@ -6,22 +6,22 @@']);
    expect(edit(10, 22)).toEqual(['@@ -6,11 +6,11 @@', '@@ -18,11 +18,11 @@']);
  });
});

describe('bounds', () => {
  it('compares up to maxBytes, and not one byte more', () => {
    const tooLarge = {
      evidence: 'tooLarge',
      additions: null,
      deletions: null,
      hunks: [],
      facets: ['content'],
    };
    expect(previewChange(bytes('a\n'), bytes('bb\n'), { maxBytes: 3 }).evidence).toBe('text');
    expect(previewChange(bytes('a\n'), bytes('bbb\n'), { maxBytes: 3 })).toEqual(tooLarge);
    expect(previewChange(bytes('bbb\n'), null, { maxBytes: 3 })).toEqual(tooLarge);
  });

  it('[P1] gives up above maxEditLength, and at no other point', () => {
    const before = bytes('a\nb\nc\nd\n');
    const after = bytes('d\nc\nb\na\n');
    expect(previewChange(before, after, { maxEditLength: 6 })).toMatchObject({ additions: 3, deletions: 3 });
    expect(previewChange(before, after, { maxEditLength: 5 })).toEqual({
      evidence: 'tooDifferent',
      additions: null,
      deletions: null,
      hunks: [],
      facets: ['content'],
    });
  });

  it('[C091] answers small changes of large texts, and texts without a common line, whatever the limit', () => {
    const limits = { maxEditLength: 1 };
    const large = numbered(200_000, (index) => `line ${index}`);
    const oneChanged = numbered(200_000, (index) => (index === 99_999 ? 'changed' : `line ${index}`));
    const preview = previewChange(large, oneChanged, limits);
    expect(preview).toMatchObject({ additions: 1, deletions: 1 });
    expect(preview.hunks.map((hunk) => hunk.header)).toEqual(['@@ -99995,11 +99995,11 @@']);
    const [old, now] = [numbered(4000, (index) => `old ${index}`), numbered(4000, (index) => `new ${index}`)];
    expect(previewChange(old, now, limits)).toMatchObject({ additions: 4000, deletions: 4000 });
    expect(previewChange(bytes('one\n'), now, limits)).toMatchObject({ additions: 4000, deletions: 1 });
  });

  it.each([
    0,
    -1,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '3' as unknown as number,
    null as unknown as number,
  ])('refuses %s as a limit, by name', (value) => {
    for (const name of ['maxBytes', 'maxEditLength', 'maxSnapshotBytes'] as const) {
      const refused = catchError(() => previewChange(null, null, { [name]: value }));
      expect(ReviewError.isInstance(refused) && refused.code).toBe('invalidArgument');
      expect(String(refused)).toContain(`The limit ${name} is ${value}; give an integer of at least 1`);
    }
  });
});

describe('facets', () => {
  it.each([
    ['a\n', 'b\n', ['content']],
    ['a\n', 'a\r\n', ['lineEndings']],
    ['a\r\nb\n', 'a\nb\r\n', ['lineEndings']],
    ['a\r\n', 'a\r\nb\n', ['content', 'lineEndings']],
    ['a\r\nb\r\n', 'a\r\nc\r\n', ['content']],
    ['a\r\n', 'b\n', ['content', 'lineEndings']],
    ['a\n', 'a', ['finalNewline']],
    ['a\r\n', 'a', ['finalNewline']],
    ['a\r\nb', 'a\nb\n', ['lineEndings', 'finalNewline']],
    ['a', '\ufeffa', ['bom']],
    ['\ufeffa\r\n', 'b', ['content', 'bom', 'finalNewline']],
    ['a\rb\n', 'a\nb\n', ['content']],
    ['', '\n', ['content']],
    ['', '\ufeff', ['bom']],
    ['', 'a', ['content']],
  ])('of %j and %j are %j', (before, after, expected) => {
    expect(previewChange(bytes(before), bytes(after)).facets).toEqual(expected);
    expect(previewChange(bytes(after), bytes(before)).facets).toEqual(expected);
  });

  it('name something wherever bytes differ, and nothing where they do not', () => {
    const text = fc.oneof(
      texts,
      fc.array(fc.constantFrom('\r', '\n', '\ufeff', 'a'), { maxLength: 6 }).map((all) => all.join('')),
    );
    check(
      fc.property(text, text, (before, after) => {
        const { facets } = previewChange(bytes(before), bytes(after));
        expect(facets.length === 0).toBe(before === after);
        expect(new Set(facets).size).toBe(facets.length);
      }),
      2000,
    );
  });

  it('of mode and kind come from the two states', () => {
    const state = (mode: number, kind: FileState['kind']): FileState => ({
      digest: 'd',
      size: 1,
      mode,
      kind,
    });
    expect(facetsOf(state(0o644, 'file'), state(0o755, 'file'), ['content'])).toEqual(['content', 'mode']);
    expect(facetsOf(state(0o644, 'file'), state(0o777, 'symlink'), [])).toEqual(['kind']);
    expect(facetsOf(null, state(0o755, 'file'), ['content'])).toEqual(['content']);
    expect(facetsOf(state(0o644, 'file'), state(0o644, 'file'), ['bom', 'content'])).toEqual([
      'content',
      'bom',
    ]);
  });
});

it('never throws, whatever the bytes are', () => {
  const side = fc.option(fc.oneof(fc.uint8Array({ maxLength: 60 }), texts.map(bytes)));
  check(
    fc.property(side, side, (before, after) => {
      const { evidence, additions, hunks } = previewChange(before, after);
      expect(additions === null).toBe(evidence !== 'text');
      if (evidence !== 'text') expect(hunks).toEqual([]);
    }),
    3000,
  );
});

function catchError(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
