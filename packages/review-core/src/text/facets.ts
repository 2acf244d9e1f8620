import type { Facet } from '../record/v1.ts';

/**
 * Which sides of a text differ. `content` is what is left when byte order marks, the style of line ends and the
 * last line end are folded; two texts that differ always differ in at least one facet.
 */
export function textFacets(before: string, after: string): Facet[] {
  const old = parts(before);
  const now = parts(after);
  const facets: Facet[] = [];
  if (old.marks !== now.marks) facets.push('bom');
  if (old.body === now.body) return facets;
  if (old.body === '' || now.body === '') return ['content', ...facets];

  const sameContent = foldEnds(old.open) === foldEnds(now.open);
  if (!sameContent) facets.unshift('content');
  if (stylesDiffer(old.body, now.body) || (sameContent && old.open !== now.open)) facets.push('lineEndings');
  if (old.ended !== now.ended) facets.push('finalNewline');
  return facets;
}

interface Parts {
  /** Number of byte order marks in front. */
  marks: number;
  body: string;
  ended: boolean;
  /** The body without its last line end. */
  open: string;
}

function parts(text: string): Parts {
  let marks = 0;
  while (text.charCodeAt(marks) === 0xfeff) marks++;
  const body = text.slice(marks);
  const ended = body.endsWith('\n');
  return { marks, body, ended, open: body.replace(/\r?\n$/, '') };
}

function foldEnds(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
}

/** Whether two texts that both have line ends use other styles of them. */
function stylesDiffer(before: string, after: string): boolean {
  const old = styles(before);
  const now = styles(after);
  return old !== 0 && now !== 0 && old !== now;
}

/** 1: LF alone occurs, 2: CRLF occurs, 3: both. */
function styles(text: string): number {
  return (/(?:^|[^\r])\n/.test(text) ? 1 : 0) | (text.includes('\r\n') ? 2 : 0);
}
