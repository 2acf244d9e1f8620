import { DurableError } from '../durable-error.ts';

export const DEFAULT_MAX_LINE_BYTES: number = 16 * 1024 * 1024;
/** Half of what fits in a string of Node, so that no line can meet that limit. */
const HIGHEST_MAX_LINE_BYTES = 256 * 1024 * 1024;

export function checkMaxLineBytes(value: number): void {
  if (Number.isSafeInteger(value) && value >= 1 && value <= HIGHEST_MAX_LINE_BYTES) return;
  throw new DurableError(
    'invalidArgument',
    `maxLineBytes must be from 1 to ${HIGHEST_MAX_LINE_BYTES}, not ${value}.`,
  );
}
