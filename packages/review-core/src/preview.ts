import type { DiffAlgorithm } from './diff/algorithm.ts';
import { CONTEXT, toHunks } from './diff/hunks.ts';
import { matchLines } from './diff/match-lines.ts';
import { myers } from './diff/myers.ts';
import type { PreviewLimits } from './limits.ts';
import { resolveLimits } from './limits.ts';
import type { EvidenceKind, Facet, FileState, ReviewHunk } from './record/v1.ts';
import { FACETS } from './record/v1.ts';
import { assignRuns } from './runs.ts';
import { decodeText, equalBytes } from './text/decode.ts';
import { textFacets } from './text/facets.ts';
import { differingWindow } from './text/lines.ts';

/**
 * What can be shown of a change.
 *
 * @since 0.1.0
 */
export interface Preview {
  /** `text`, or why there are no hunks: `binary`, `tooLarge` or `tooDifferent`. */
  evidence: EvidenceKind;
  /** Lines, counted as git counts them; null where they are not known. */
  additions: number | null;
  deletions: number | null;
  /** With 5 lines of context. Run ids are those of the snapshot `''`: `assignRuns` gives a record's own. */
  hunks: ReviewHunk[];
  /** Which sides of the bytes differ. Mode and kind are not known here. */
  facets: Facet[];
}

/**
 * Compares two sides of a file by lines. Pure, synchronous, and bounded by work, never by time: the same input
 * gives the same answer on every machine. Line ends and byte order marks are content; only LF ends a line.
 *
 * @param before the raw bytes; null where there is no file
 * @throws ReviewError `invalidArgument` for a limit that is no integer of at least 1
 * @since 0.1.0
 */
export function previewChange(
  before: Uint8Array | null,
  after: Uint8Array | null,
  limits?: Partial<PreviewLimits>,
): Preview {
  return previewWith(myers, before, after, limits);
}

/** `previewChange` over an algorithm of the caller's. */
export function previewWith(
  algorithm: DiffAlgorithm,
  before: Uint8Array | null,
  after: Uint8Array | null,
  limits?: Partial<PreviewLimits>,
): Preview {
  const { maxBytes, maxEditLength } = resolveLimits(limits);
  const most = Math.min(maxBytes, MAX_TEXT_BYTES);
  if (byteLength(before) > most || byteLength(after) > most) return unknown('tooLarge', before, after);
  const old = decodeText(before ?? EMPTY);
  const now = decodeText(after ?? EMPTY);
  if (old === null || now === null) return unknown('binary', before, after);

  const facets = before === null || after === null ? existence(before, after) : textFacets(old, now);
  const hunks = compare(algorithm, old, now, maxEditLength);
  if (hunks === undefined) return { ...unknown('tooDifferent', before, after), facets };
  const [additions, deletions] = [count(hunks, '+'), count(hunks, '-')];
  return { evidence: 'text', additions, deletions, hunks: assignRuns('', hunks), facets };
}

/**
 * All facets of a change: those of its bytes, and those that only its two states tell.
 *
 * @since 0.1.0
 */
export function facetsOf(
  before: FileState | null,
  after: FileState | null,
  preview: readonly Facet[],
): Facet[] {
  const facets = new Set(preview);
  if (before !== null && after !== null) {
    if (before.kind !== after.kind) facets.add('kind');
    else if (before.mode !== after.mode) facets.add('mode');
  }
  return FACETS.filter((facet) => facets.has(facet));
}

const EMPTY = new Uint8Array(0);

/** Every engine holds a string of this length, and no limit raises it. */
const MAX_TEXT_BYTES = 256 * 1024 * 1024;

function byteLength(bytes: Uint8Array | null): number {
  return bytes?.length ?? 0;
}

function unknown(evidence: EvidenceKind, before: Uint8Array | null, after: Uint8Array | null): Preview {
  const facets: Facet[] =
    before === null || after === null
      ? existence(before, after)
      : equalBytes(before, after)
        ? []
        : ['content'];
  return { evidence, additions: null, deletions: null, hunks: [], facets };
}

function existence(before: Uint8Array | null, after: Uint8Array | null): Facet[] {
  return before === after ? [] : ['content'];
}

function compare(
  algorithm: DiffAlgorithm,
  before: string,
  after: string,
  maxEditLength: number,
): ReviewHunk[] | undefined {
  if (before === after) return [];
  const window = differingWindow(before, after, CONTEXT);
  const matches = matchLines(window.before, window.after, algorithm, maxEditLength);
  return matches && toHunks(window.before, window.after, matches, window.skipped);
}

function count(hunks: readonly ReviewHunk[], mark: string): number {
  let lines = 0;
  for (const hunk of hunks) {
    for (const line of hunk.lines) if (line.startsWith(mark)) lines++;
  }
  return lines;
}
