import fc from 'fast-check';

/** Runs a property under a seed that is printed; `SEED=…` in the environment runs the same cases again. */
export function check(property: fc.IPropertyWithHooks<unknown> | fc.IProperty<never>, numRuns: number): void {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`seed ${seed}`);
  fc.assert(property as fc.IProperty<unknown>, { seed, numRuns });
}

const LINES = [
  '',
  'a',
  'b',
  'c',
  ' ',
  '\r',
  'a\r',
  '\\ No newline at end of file',
  '-- a/x',
  '++ b/x',
  '@@ -1 +1 @@',
  'page\fend',
  'line\u2028separator\u2029and\u0085next\v',
  '\ufeffmarked',
  'é 漢 🚀',
];

/** A text of few different lines, with and without a last LF: where equal lines repeat, diffs go wrong. */
export const texts: fc.Arbitrary<string> = fc
  .tuple(fc.array(fc.constantFrom(...LINES), { maxLength: 40 }), fc.boolean())
  .map(([lines, ended]) => lines.join('\n') + (ended ? '\n' : ''));

/** Two texts of which the second is the first with some edits: hunks far apart, which wholly random texts lack. */
export const pairs: fc.Arbitrary<[string, string]> = fc.oneof(fc.tuple(texts, texts), edited());

function edited(): fc.Arbitrary<[string, string]> {
  const edit = fc.record({
    at: fc.nat(200),
    remove: fc.nat(3),
    add: fc.array(fc.constantFrom(...LINES), { maxLength: 3 }),
  });
  return fc
    .tuple(fc.nat(200), fc.array(edit, { maxLength: 6 }), fc.boolean(), fc.boolean())
    .map(([length, edits, oldEnded, newEnded]) => {
      const old = Array.from({ length }, (_, index) => (index % 7 === 0 ? '' : `line ${index % 50}`));
      const now = [...old];
      for (const { at, remove, add } of edits) now.splice(at, remove, ...add);
      return [join(old, oldEnded), join(now, newEnded)];
    });
}

function join(lines: string[], ended: boolean): string {
  return lines.join('\n') + (ended ? '\n' : '');
}
