import type { ReviewChange } from '@backstitch/review-core';
import { describe, expect, it } from 'vitest';
import { englishLabels } from '../labels/english.ts';
import { createLabelWriter } from '../labels/writer.ts';
import { hunksOf, sampleChange } from '../testing/sample-change.ts';
import { badgesOf } from './badges.ts';

const writer = createLabelWriter(englishLabels);
const BOM = '\uFEFF';

function texts(change: Partial<ReviewChange>, before: string | null, after: string | null): string[] {
  return badgesOf(sampleChange(change), hunksOf(before, after), writer).map((badge) => badge.text);
}

describe('what lines alone do not show', () => {
  it('[C070] says whether a byte order mark came or went', () => {
    expect(texts({ facets: ['bom'] }, `${BOM}a\n`, 'a\n')).toEqual(['BOM removed']);
    expect(texts({ facets: ['bom'] }, 'a\n', `${BOM}a\n`)).toEqual(['BOM added']);
    expect(texts({ facets: ['bom'] }, `${BOM}a\n`, `${BOM}${BOM}a\n`)).toEqual(['BOM added']);
    expect(badgesOf(sampleChange({ facets: ['bom'] }), null, writer)[0]?.text).toBe('BOM changed');
  });

  it('says which way line endings went, where all of them went one way', () => {
    expect(texts({ facets: ['lineEndings'] }, 'a\r\nb\r\n', 'a\nb\n')).toEqual(['CRLF → LF']);
    expect(texts({ facets: ['lineEndings'] }, 'a\nb\n', 'a\r\nb\r\n')).toEqual(['LF → CRLF']);
    expect(texts({ facets: ['lineEndings'] }, 'a\r\nb\n', 'a\nb\r\n')).toEqual(['line endings changed']);
  });

  it('says whether the final newline came or went', () => {
    expect(texts({ facets: ['finalNewline'] }, 'a\nb', 'a\nb\n')).toEqual(['final newline added']);
    expect(texts({ facets: ['finalNewline'] }, 'a\nb\n', 'a\nb')).toEqual(['no final newline']);
  });

  it('shows modes as octal numbers, and kinds as words', () => {
    const before = { digest: 'a'.repeat(64), size: 1, mode: 0o644, kind: 'file' } as const;
    expect(texts({ facets: ['mode'], before, after: { ...before, mode: 0o755 } }, '', '')).toEqual([
      'mode 644 → 755',
    ]);
    expect(texts({ facets: ['kind'], before, after: { ...before, kind: 'symlink' } }, '', '')).toEqual([
      'file → symbolic link',
    ]);
  });

  it('tells scope, failure, partial sight and the delegate', () => {
    const change = sampleChange({
      scope: 'external',
      failed: true,
      coverage: 'partial',
      agent: { name: 'scout', sessionId: 's2' },
    });
    expect(badgesOf(change, [], writer).map((badge) => badge.text)).toEqual([
      'outside the workspace',
      'tool failed',
      'partly observed',
      'by scout',
    ]);
  });
});
