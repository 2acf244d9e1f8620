import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { casePairs } from '../../test-support/cases.ts';
import { changeWith, stateOf } from '../../test-support/change.ts';
import type { Entry } from '../../test-support/git.ts';
import { GitFolder } from '../../test-support/git.ts';
import { check, pairs } from '../../test-support/property.ts';
import { hunksWithContext } from '../evidence.ts';
import { previewChange } from '../preview.ts';
import { toUnifiedPatch } from './patch.ts';

let git: GitFolder;
beforeAll(() => {
  git = new GitFolder();
});
afterAll(() => git.remove());

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const file = (text: string, executable = false): Entry => ({ kind: 'file', bytes: bytes(text), executable });
const link = (target: string): Entry => ({ kind: 'symlink', bytes: bytes(target), executable: true });

function patchOf(path: string, before: Entry | null, after: Entry | null, context: 1 | 3 | 5 = 5): string {
  const stateOfEntry = (entry: Entry | null) =>
    entry && stateOf(entry.bytes, entry.executable ? 0o755 : 0o644, entry.kind);
  const change = changeWith({ path, before: stateOfEntry(before), after: stateOfEntry(after) });
  const { hunks } = previewChange(before?.bytes ?? null, after?.bytes ?? null);
  return toUnifiedPatch(change, hunksWithContext(hunks, context));
}

function expectBothWays(
  path: string,
  before: Entry | null,
  after: Entry | null,
  context: 1 | 3 | 5 = 5,
): void {
  const patch = patchOf(path, before, after, context);
  git.put(path, before);
  expect(git.apply(patch), patch).toBeNull();
  expect(git.get(path)).toEqual(after);
  expect(git.apply(patch, '-R'), patch).toBeNull();
  expect(git.get(path)).toEqual(before);
  git.put(path, null);
}

describe('git apply takes the patch, and takes it back', () => {
  it.each<[string, Entry | null, Entry | null]>([
    ['an edit', file('a\nb\nc\n'), file('a\nB\nc\n')],
    ['an added file', null, file('a\nb\n')],
    ['an added executable', null, file('#!/bin/sh\n', true)],
    ['a deleted file', file('a\nb\n'), null],
    ['a deleted executable', file('a', true), null],
    ['an added empty file', null, file('')],
    ['a deleted empty file', file(''), null],
    ['a file that was emptied', file('a\n'), file('')],
    ['a file that was empty', file(''), file('a')],
    ['a mode', file('a\n'), file('a\n', true)],
    ['a mode and an edit', file('a\n', true), file('b\n')],
    ['a last line end that came', file('a\nb'), file('a\nb\n')],
    ['a last line end that went', file('a\nb\n'), file('a\nb')],
    ['no last line end, an edit above', file('a\nb\nc'), file('A\nb\nc')],
    ['CRLF', file('a\r\nb\r\nc\r\n'), file('a\r\nB\r\nc\r\n')],
    ['CRLF to LF', file('a\r\nb\r\n'), file('a\nb\n')],
    ['lone CR', file('a\rb\rc\r'), file('a\rB\rc\r')],
    ['a CR at the very end', file('a\nb\n'), file('a\nb\nc\r')],
    ['trailing blanks', file('a\nb\n'), file('a  \nb\t\n')],
    ['a byte order mark', file('\ufeffa\n'), file('a\n')],
    [
      'lines that look like a patch',
      file('-- x\n++ y\n@@ -1 +1 @@\n'),
      file('++ y\n@@ -1 +1 @@\n-- a/x\n\\ No newline\n'),
    ],
    ['an added link', null, link('some/where')],
    ['a deleted link', link('some/where'), null],
    ['a link that points elsewhere', link('some/where'), link('else where')],
    ['a file that became a link', file('a\nb\n'), link('a')],
    ['a link that became a file', link('b'), file('a\nb', true)],
    ['a file that became a link to its last line', file('a\nb'), link('b')],
  ])('for %s', (_, before, after) => {
    expectBothWays('src/a.ts', before, after);
  });

  it.each([
    'with space.txt',
    'tab\there "q" é.txt',
    'new\nline.txt',
    'odd\\name.txt',
    '🚀 launch.md',
    'x b/x',
    '-rf',
    'trailing ',
    ' lead.txt',
    '10:30 plan.md',
    'dev/null',
    'é',
  ])('[C110] for the name %j', (path) => {
    expectBothWays(path, file('a\nb\nc\n'), file('a\nB\nc\n'));
    expectBothWays(path, null, file('a\n'));
    expectBothWays(path, file('a\n'), null);
    expectBothWays(path, null, file(''));
    expectBothWays(path, file('a\n'), file('a\n', true));
    expectBothWays(path, link('a'), link('b'));
  });

  interface Side {
    path: string;
    before: Entry;
    after: Entry;
  }

  /** All in one patch. */
  function expectAllBothWays(all: readonly Side[], context: 1 | 3 | 5): void {
    for (const { path, before } of all) git.put(path, before);
    const patch = all.map(({ path, before, after }) => patchOf(path, before, after, context)).join('');
    if (patch === '') return;
    expect(git.apply(patch)).toBeNull();
    for (const { path, after } of all) expect(git.get(path), path).toEqual(after);
    expect(git.apply(patch, '-R')).toBeNull();
    for (const { path, before } of all) expect(git.get(path), path).toEqual(before);
  }

  it.each([1, 3, 5] as const)('for every case input of text, with %i lines of context', (context) => {
    const entry = (input: Uint8Array): Entry => ({ kind: 'file', bytes: input, executable: false });
    const inputs = casePairs().filter(({ name }) => !name.startsWith('cp1252'));
    expectAllBothWays(
      inputs.map(({ name, before, after }) => ({ path: name, before: entry(before), after: entry(after) })),
      context,
    );
  });

  it('for any two texts', () => {
    const side = fc.record({ path: fc.uuid(), texts: pairs });
    check(
      fc.property(
        fc.uniqueArray(side, { minLength: 20, maxLength: 20, selector: ({ path }) => path }),
        fc.constantFrom(1 as const, 3 as const, 5 as const),
        (sides, context) => {
          const all = sides.map(({ path, texts: [before, after] }) => ({
            path,
            before: file(before),
            after: file(after),
          }));
          expectAllBothWays(all, context);
        },
      ),
      15,
    );
  }, 120_000);
});

it('writes names with a space and names in quotes as git does', () => {
  expect(patchOf('with space', file('a\n'), file('b\n', true))).toBe(
    'diff --git a/with space b/with space\nold mode 100644\nnew mode 100755\n' +
      '--- a/with space\t\n+++ b/with space\t\n@@ -1 +1 @@\n-a\n+b\n',
  );
  expect(patchOf('é x', null, file('b'))).toBe(
    'diff --git "a/\\303\\251 x" "b/\\303\\251 x"\nnew file mode 100644\n' +
      '--- /dev/null\n+++ "b/\\303\\251 x"\t\n@@ -0,0 +1 @@\n+b\n\\ No newline at end of file\n',
  );
});

it('has no bound of its own', () => {
  expectBothWays('many', null, file('line\n'.repeat(300_000)));
  expectBothWays('many', file('a\n'.repeat(150_000)), file('b\n'.repeat(150_000)));
});

describe('what a patch can not say', () => {
  it('is said in words that git refuses, where bytes differ and no hunks are there', () => {
    const binary = changeWith({ path: 'p q', evidence: 'binary' });
    const patch = toUnifiedPatch(binary, []);
    expect(patch).toBe(
      'diff --git a/p q b/p q\nold mode 100644\nnew mode 100644\nBinary files a/p q and b/p q differ\n',
    );
    git.put('p q', file('a'));
    expect(git.apply(patch)).toContain('cannot apply binary patch');
    expect(git.get('p q')).toEqual(file('a'));

    const together = patch + patchOf('other', null, file('x\n'));
    expect(git.apply(together)).toContain('cannot apply binary patch');
    expect(git.get('other')).toBeNull();

    const added = toUnifiedPatch(changeWith({ path: 'n', before: null }), []);
    expect(added).toBe('diff --git a/n b/n\nnew file mode 100644\nBinary files /dev/null and b/n differ\n');
    expect(git.apply(added)).toContain('cannot apply binary patch');
    expect(git.get('n')).toBeNull();
  });

  it('is nothing, where git sees no change, or the end is not known', () => {
    const before = stateOf(bytes('a'), 0o644);
    expect(toUnifiedPatch(changeWith({ before, after: { ...before, mode: 0o600 } }), [])).toBe('');
    expect(
      toUnifiedPatch(changeWith({ before, after: null, status: 'modified', state: 'pending' }), []),
    ).toBe('');
  });

  it('is not guessed where hunks do not show all of a file that changed its kind', () => {
    const [before, after] = [bytes('x\n'.repeat(20)), bytes('x\n'.repeat(19))];
    const change = changeWith({
      path: 'k',
      before: stateOf(before),
      after: stateOf(after, 0o777, 'symlink'),
    });
    expect(toUnifiedPatch(change, previewChange(before, after).hunks)).toBe(
      'diff --git a/k b/k\ndeleted file mode 100644\nBinary files a/k and /dev/null differ\n' +
        'diff --git a/k b/k\nnew file mode 120000\nBinary files /dev/null and b/k differ\n',
    );
  });
});

it('previewChange counts any two texts as git counts them', () => {
  check(
    fc.property(pairs, ([before, after]) => {
      const { additions, deletions } = previewChange(bytes(before), bytes(after));
      expect([additions, deletions]).toEqual(git.numstat(bytes(before), bytes(after)));
    }),
    150,
  );
}, 120_000);
