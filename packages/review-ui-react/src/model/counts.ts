import type { LabelWriter } from '../labels/writer.ts';

/** Lines of a change, a file or a round. Null is unknown, which is not zero. */
export interface Counts {
  additions: number | null;
  deletions: number | null;
}

/** For an accessible name, where a sign could be left unspoken. */
export function countsInWords(counts: Counts, writer: LabelWriter): string {
  const { counts: words } = writer.labels;
  const { additions, deletions } = counts;
  if (additions === null || deletions === null) return words.unknownWords;
  return `${writer.plural(words.addedWords, additions)}, ${writer.plural(words.deletedWords, deletions)}`;
}

/** For an option or a short text: `+12 −3`. */
export function countsInSigns(counts: Counts, writer: LabelWriter): string {
  const { counts: words } = writer.labels;
  const { additions, deletions } = counts;
  if (additions === null || deletions === null) return words.unknown;
  return `${writer.text(words.added, { count: additions })} ${writer.text(words.deleted, { count: deletions })}`;
}
