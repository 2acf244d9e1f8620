/** The lines of one run of adjacent −/+ lines. */
export interface RunLines {
  removed: string[];
  added: string[];
  /** Where the run lies in the hunk's `lines`: from `start` up to, without, `end`; markers are inside. */
  start: number;
  end: number;
}

/** The runs of a hunk, in order. A marker of a missing line end belongs to the line before it. */
export function linesOfRuns(lines: readonly string[]): RunLines[] {
  const runs: RunLines[] = [];
  let run: RunLines | null = null;
  for (const [index, line] of lines.entries()) {
    const mark = line[0];
    if (mark === '-' || mark === '+') {
      if (run === null) {
        run = { removed: [], added: [], start: index, end: index };
        runs.push(run);
      }
      (mark === '-' ? run.removed : run.added).push(line.slice(1));
    } else if (mark === ' ') {
      run = null;
    }
    if (run !== null) run.end = index + 1;
  }
  return runs;
}
