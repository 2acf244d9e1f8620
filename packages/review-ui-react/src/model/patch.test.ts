// @vitest-environment node
import { expect, it } from 'vitest';
import { hunksOf, sampleChange } from '../testing/sample-change.ts';
import { patchOf } from './patch.ts';

it('joins the recorded operations in the order of record, and counts those without a text diff', async () => {
  const changes = [
    sampleChange({ seq: 1, path: 'a' }),
    sampleChange({ seq: 2, path: 'b', evidence: 'binary' }),
    sampleChange({ seq: 3, path: 'a' }),
  ];
  const texts = ['1\n', '2\n', '3\n', '4\n'];
  const read = async (id: string) => {
    const index = changes.findIndex((change) => change.id === id);
    return { change: changes[index]!, hunks: index === 1 ? [] : hunksOf(texts[index]!, texts[index + 1]!) };
  };
  const { text, leftOut } = await patchOf(changes.map((change) => change.id).reverse(), read);
  const head = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n';
  expect(text).toBe(`${head}-1\n+2\n${head}-3\n+4\n`);
  expect(leftOut).toBe(1);
});
