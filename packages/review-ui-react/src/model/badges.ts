import type { Facet, ReviewChange, ReviewHunk } from '@backstitch/review-core';
import type { LabelWriter } from '../labels/writer.ts';

/** A side of a change that its lines alone don't show. */
export interface Badge {
  kind: Facet | 'failed' | 'partial' | 'agent' | 'scope';
  text: string;
}

/** `hunks` may be null while they are not loaded: the badge then says that something changed, not which way. */
export function badgesOf(
  change: ReviewChange,
  hunks: readonly ReviewHunk[] | null,
  writer: LabelWriter,
): Badge[] {
  const { badge, scope } = writer.labels;
  const badges: Badge[] = [];
  if (change.scope !== 'workspace') badges.push({ kind: 'scope', text: writer.word(scope, change.scope) });
  if (change.failed) badges.push({ kind: 'failed', text: badge.failed });
  if (change.coverage === 'partial') badges.push({ kind: 'partial', text: badge.partial });
  if (change.agent !== null)
    badges.push({ kind: 'agent', text: writer.text(badge.agent, { name: change.agent.name }) });
  for (const facet of change.facets) {
    const text = facetText(facet, change, hunks, writer);
    if (text !== null) badges.push({ kind: facet, text });
  }
  return badges;
}

function facetText(
  facet: Facet,
  change: ReviewChange,
  hunks: readonly ReviewHunk[] | null,
  writer: LabelWriter,
): string | null {
  if (facet === 'bom') return bomText(hunks, writer);
  if (facet === 'lineEndings') return lineEndingText(hunks, writer);
  if (facet === 'finalNewline') return finalNewlineText(change, hunks, writer);
  if (facet === 'mode') return modeText(change, writer);
  if (facet === 'kind') return kindText(change, writer);
  return null;
}

function bomText(hunks: readonly ReviewHunk[] | null, writer: LabelWriter): string {
  const { bomAdded, bomRemoved, bomChanged } = writer.labels.badge;
  const top = hunks?.[0]?.lines ?? [];
  const before = marksAtStart(top.find((line) => line.startsWith('-')));
  const after = marksAtStart(top.find((line) => line.startsWith('+')));
  if (before === after) return bomChanged;
  return after > before ? bomAdded : bomRemoved;
}

function marksAtStart(line: string | undefined): number {
  return line === undefined ? 0 : /^.(\uFEFF*)/.exec(line)![1]!.length;
}

function lineEndingText(hunks: readonly ReviewHunk[] | null, writer: LabelWriter): string {
  const from = endingOf('-', hunks ?? []);
  const to = endingOf('+', hunks ?? []);
  if (from === null || to === null || from === to) return writer.labels.badge.lineEndings;
  return writer.text(writer.labels.badge.lineEndingsFromTo, { from, to });
}

/** How all lines of one side end; null where they are mixed, or there are none. */
function endingOf(sign: '-' | '+', hunks: readonly ReviewHunk[]): 'CRLF' | 'LF' | null {
  const lines = hunks.flatMap((hunk) => hunk.lines).filter((line) => line.startsWith(sign));
  if (lines.length === 0) return null;
  if (lines.every((line) => line.endsWith('\r'))) return 'CRLF';
  return lines.some((line) => line.endsWith('\r')) ? null : 'LF';
}

function finalNewlineText(
  change: ReviewChange,
  hunks: readonly ReviewHunk[] | null,
  writer: LabelWriter,
): string {
  const { finalNewlineAdded, finalNewlineRemoved, finalNewlineChanged } = writer.labels.badge;
  const lines = hunks?.at(-1)?.lines ?? [];
  const unended = lines.filter((_, index) => lines[index + 1]?.startsWith('\\'));
  const before = unended.some((line) => !line.startsWith('+'));
  const after = unended.some((line) => !line.startsWith('-'));
  if (before === after || change.status === 'deleted') return finalNewlineChanged;
  return before ? finalNewlineAdded : finalNewlineRemoved;
}

function modeText(change: ReviewChange, writer: LabelWriter): string | null {
  if (change.before === null || change.after === null) return null;
  const [from, to] = [change.before.mode, change.after.mode].map((mode) => mode.toString(8).padStart(3, '0'));
  return writer.text(writer.labels.badge.mode, { from: from!, to: to! });
}

function kindText(change: ReviewChange, writer: LabelWriter): string | null {
  if (change.before === null || change.after === null) return null;
  const { kind, kindFromTo } = writer.labels.badge;
  return writer.text(kindFromTo, {
    from: writer.word(kind, change.before.kind),
    to: writer.word(kind, change.after.kind),
  });
}
