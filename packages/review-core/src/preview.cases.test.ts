import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { applyHunks } from '../test-support/apply.ts';
import { caseBytes, casePairs, caseText } from '../test-support/cases.ts';
import { hunksWithContext } from './evidence.ts';
import { previewChange } from './preview.ts';

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
/** Bytes that are not UTF-8: no text is shown, and no count is claimed. */
const NOT_UTF8 = ['cp1252-far-byte', 'cp1252-fffd-damage'];
const pairs = casePairs();
const texts = pairs.filter(({ name }) => !NOT_UTF8.includes(name));

describe('the case inputs', () => {
  it('are byte for byte what was checked in', () => {
    const sums = caseText('SHA256SUMS').trimEnd().split('\n');
    expect(sums.length).toBeGreaterThan(80);
    for (const line of sums) {
      const [sum, file] = line.split('  ') as [string, string];
      expect(createHash('sha256').update(caseBytes(file)).digest('hex'), file).toBe(sum);
    }
  });
});

describe('previewChange', () => {
  it.each(texts)('$ids counts $name as git does', ({ before, after, additions, deletions }) => {
    const preview = previewChange(before, after);
    expect(preview).toMatchObject({ evidence: 'text', additions, deletions });
    expect(applyHunks(decode(before), preview.hunks, 'forward')).toBe(decode(after));
    expect(applyHunks(decode(after), preview.hunks, 'back')).toBe(decode(before));
  });

  it.each(texts.filter(({ name }) => name !== 'repeat-blocks'))(
    '$ids gives the hunks of $name the headers of git',
    ({ before, after, hunkHeaders }) => {
      const hunks = hunksWithContext(previewChange(before, after).hunks, 3);
      expect(hunks.map((hunk) => hunk.header)).toEqual(hunkHeaders);
    },
  );

  it.each(pairs.filter(({ name }) => NOT_UTF8.includes(name)))(
    '$ids claims no count for $name, and says that it changed',
    ({ before, after }) => {
      expect(previewChange(before, after)).toEqual({
        evidence: 'binary',
        additions: null,
        deletions: null,
        hunks: [],
        facets: ['content'],
      });
    },
  );
});

describe('where a change is shown', () => {
  const removedLine = (name: string): number => {
    const pair = pairs.find((candidate) => candidate.name === name)!;
    const [hunk] = previewChange(pair.before, pair.after).hunks;
    return hunk!.oldStart + hunk!.lines.findIndex((line) => line.startsWith('-'));
  };

  it('[C073] only LF ends a line', () => {
    expect(removedLine('u2028-family')).toBe(7);
    expect(removedLine('form-feed-page')).toBe(6);
  });

  it('[C070] a byte order mark that came or went is told', () => {
    const facets = Object.fromEntries(
      pairs.map(({ name, before, after }) => [name, previewChange(before, after).facets]),
    );
    expect(facets['bom-only']).toEqual(['bom']);
    expect(facets['bom-double']).toEqual(['bom']);
    expect(facets['bom-lost-with-edit']).toEqual(['content', 'bom']);
  });

  it('[C071] the marker of a missing last LF follows the line that lacks it', () => {
    const pair = pairs.find(({ name }) => name === 'eof-newline-added-plus-insert')!;
    const [hunk] = previewChange(pair.before, pair.after).hunks;
    expect(hunk!.lines.filter((_, index) => hunk!.lines[index + 1]?.startsWith('\\'))).toEqual([
      expect.stringMatching(/^-/),
    ]);
  });

  it('[C083] content that looks like a patch is content', () => {
    const pair = pairs.find(({ name }) => name === 'looks-like-header')!;
    expect(previewChange(pair.before, pair.after).hunks[0]!.lines).toEqual([
      '--- drop x',
      ' ++ y',
      ' \\ No newline at end of file',
      ' @@ -1,1 +1,1 @@',
      '+--- a/x',
      '++++ b/x',
      ' keep',
    ]);
  });
});
