import { applyPatch, parsePatch, reversePatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyHunks } from '../test-support/apply.ts';
import { changeWith } from '../test-support/change.ts';
import { check, pairs } from '../test-support/property.ts';
import { hunksWithContext, runsOf, toUnifiedPatch } from './evidence.ts';
import { previewChange } from './preview.ts';
import { checkHunks } from './record/guard.ts';
import type { ReviewHunk } from './record/v1.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const hunksOf = (before: string, after: string): ReviewHunk[] =>
  previewChange(bytes(before), bytes(after)).hunks;
const contexts = fc.constantFrom(1 as const, 3 as const, 5 as const);
const EXACT = { autoConvertLineEndings: false, fuzzFactor: 0 };

describe('hunks, with any context', () => {
  it('lead from the before to the after, and back', () => {
    check(
      fc.property(pairs, contexts, ([before, after], context) => {
        const hunks = hunksWithContext(hunksOf(before, after), context);
        expect(applyHunks(before, hunks, 'forward')).toBe(after);
        expect(applyHunks(after, hunks, 'back')).toBe(before);
      }),
      3000,
    );
  });

  it('are a patch that another reader applies, and reverses', () => {
    check(
      fc.property(pairs, contexts, ([before, after], context) => {
        const hunks = hunksWithContext(hunksOf(before, after), context);
        fc.pre(hunks.length > 0);
        const patch = toUnifiedPatch(changeWith(), hunks);
        expect(applyPatch(before, patch, EXACT)).toBe(after);
        expect(applyPatch(after, reversePatch(parsePatch(patch)[0]!), EXACT)).toBe(before);
      }),
      1500,
    );
  });

  it('have counts that fit their lines, and at most the context that was asked for', () => {
    check(
      fc.property(pairs, contexts, ([before, after], context) => {
        const stored = hunksOf(before, after);
        const hunks = hunksWithContext(stored, context);
        expect(checkHunks(hunks)).toEqual({ value: hunks });
        for (const hunk of hunks) {
          const inner = hunk.lines
            .filter((line) => !line.startsWith('\\'))
            .map((line) => line[0])
            .join('');
          const [, lead, middle, tail] = /^( *)(.*?)( *)$/.exec(inner) as unknown as string[];
          expect(Math.max(lead!.length, tail!.length)).toBeLessThanOrEqual(context);
          for (const gap of middle!.match(/ +/g) ?? []) expect(gap.length).toBeLessThanOrEqual(2 * context);
        }
        expect(hunks.flatMap((hunk) => hunk.runs)).toEqual(stored.flatMap((hunk) => hunk.runs));
        if (context === 5) expect(hunks).toEqual(stored);
      }),
      2000,
    );
  });
});

describe('runs', () => {
  it('are the same in every context view, and stand where they say', () => {
    check(
      fc.property(pairs, contexts, ([before, after], context) => {
        const [old, now] = [before.split('\n'), after.split('\n')];
        const stored = hunksOf(before, after);
        const runs = runsOf(hunksWithContext(stored, context));
        const content = ({ id, removed, added, oldLine, newLine }: (typeof runs)[number]) => [
          id,
          removed,
          added,
          oldLine,
          newLine,
        ];
        expect(runs.map(content)).toEqual(runsOf(stored).map(content));
        expect(new Set(runs.map((run) => run.id)).size).toBe(runs.length);
        for (const { removed, added, oldLine, newLine } of runs) {
          expect(old.slice(oldLine - 1, oldLine - 1 + removed.length)).toEqual(removed);
          expect(now.slice(newLine - 1, newLine - 1 + added.length)).toEqual(added);
        }
      }),
      1500,
    );
  });
});
