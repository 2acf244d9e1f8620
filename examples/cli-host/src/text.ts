import { styleText } from 'node:util';
import type { ReviewChange, ReviewHunk } from '@backstitch/review-core';
import { hunksWithContext } from '@backstitch/review-core/evidence';

type Colour = 'green' | 'red' | 'cyan' | 'dim' | 'bold' | 'yellow';

const coloured = process.stdout.isTTY && process.env.NO_COLOR === undefined;

function paint(colour: Colour, text: string): string {
  return coloured ? styleText(colour, text) : text;
}

/** What a record holds is somebody's text: no control or formatting character of it reaches the terminal. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (char) => {
    const code = char.codePointAt(0)!;
    if (char === '\t') return char;
    return code < 0x20
      ? String.fromCharCode(0x2400 + code)
      : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

const LETTER = { added: 'A', modified: 'M', deleted: 'D' } as const;

export function changeLine(change: ReviewChange): string {
  const count = (sign: string, value: number | null): string =>
    value === null ? `${sign}?` : `${sign}${value}`;
  const counts = `${paint('green', count('+', change.additions))} ${paint('red', count('-', change.deletions))}`;
  const why = change.irreversibleReason === null ? '' : paint('dim', `  ${change.irreversibleReason}`);
  const failed = change.failed ? paint('yellow', '  failed call') : '';
  return `${change.id.slice(0, 8)}  ${LETTER[change.status]}  ${visible(change.path)}  ${counts}  ${change.state}${failed}${why}`;
}

export function changeText(change: ReviewChange, hunks: ReviewHunk[]): string {
  const head = paint('bold', changeLine(change));
  if (hunks.length === 0) return `${head}\n${paint('dim', `No lines to show: ${change.evidence}.`)}`;
  const lines = hunksWithContext(hunks, 3).flatMap((hunk) => [
    paint('cyan', hunk.header),
    ...hunk.lines.map(line),
  ]);
  return [head, ...lines].join('\n');
}

function line(text: string): string {
  const shown = visible(text);
  if (text.startsWith('+')) return paint('green', shown);
  return text.startsWith('-') ? paint('red', shown) : shown;
}
