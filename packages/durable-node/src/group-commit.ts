/**
 * Lets callers share one run of something slow. A caller joins the run that has not started yet, since a run that has
 * started may have looked already; so whoever wrote something before the call has it covered by the run it gets.
 */
export interface GroupCommit {
  /** Resolves or rejects as the joined run does. */
  join(): Promise<void>;
  /** Waits until all runs that were joined have ended, however they end. */
  idle(): Promise<void>;
}

export function createGroupCommit(run: () => Promise<void>): GroupCommit {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;

  async function startAfter(previous: Promise<void>): Promise<void> {
    // How the run before ended was told to those who shared it.
    await previous.catch(() => {});
    next = null;
    await run();
  }

  return {
    join() {
      if (next === null) {
        next = startAfter(last);
        last = next;
      }
      return next;
    },
    idle: () => last.catch(() => {}),
  };
}
