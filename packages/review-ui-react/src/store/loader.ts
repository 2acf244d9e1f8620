/**
 * One load at a time. Asking while one runs leads to exactly one more behind it, however often it was asked;
 * `discard` makes what runs now out of date, so that an answer from before an action never overwrites its
 * outcome. A load reports its own failure: it must not reject.
 */
export interface Loader {
  request(): void;
  /** What is being loaded now is older than what is known: drop it, and load once more if one was running. */
  discard(): void;
  stop(): void;
}

/** Whether the answer that just came may still be used. */
export type IsCurrent = () => boolean;

export function createLoader(load: (isCurrent: IsCurrent) => Promise<void>): Loader {
  let running = false;
  let again = false;
  let epoch = 0;

  async function run(): Promise<void> {
    running = true;
    do {
      again = false;
      const mine = epoch;
      await load(() => mine === epoch);
    } while (again);
    running = false;
  }

  return {
    request() {
      if (running) again = true;
      else void run();
    },
    discard() {
      epoch += 1;
      again = running;
    },
    stop() {
      epoch += 1;
      again = false;
    },
  };
}
