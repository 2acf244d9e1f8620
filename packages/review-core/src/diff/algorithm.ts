/**
 * The interface behind which two sequences of lines are compared.
 *
 * Lines arrive as integers: equal lines have equal integers. An algorithm answers which stretches the two
 * sequences share, in ascending order and without overlap; all else is removed or added. Fewest removed and
 * added lines is the aim, so that counts are those of git.
 */
export interface DiffAlgorithm {
  /**
   * @param maxEditLength removed plus added lines above which it gives up: the bound of its work, the same on
   * every machine
   * @returns undefined where it gave up
   */
  match(before: readonly number[], after: readonly number[], maxEditLength: number): Match[] | undefined;
}

/** `length` lines from `before` on in the one sequence and from `after` on in the other are equal. */
export interface Match {
  before: number;
  after: number;
  length: number;
}
