import type { ReviewHunk } from '../record/v1.ts';
import type { Above } from './hunk-of.ts';

/** Walks down the lines of a hunk once, and knows where it stands on both sides. */
export class LineCursor implements Above {
  readonly #lines: readonly string[];
  #index = 0;
  old: number;
  now: number;

  constructor(hunk: ReviewHunk) {
    this.#lines = hunk.lines;
    this.old = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    this.now = hunk.newLines === 0 ? hunk.newStart : hunk.newStart - 1;
  }

  /** Never goes back. */
  moveTo(index: number): this {
    for (; this.#index < index; this.#index++) {
      const mark = this.#lines[this.#index]?.[0];
      if (mark === ' ' || mark === '-') this.old++;
      if (mark === ' ' || mark === '+') this.now++;
    }
    return this;
  }
}
