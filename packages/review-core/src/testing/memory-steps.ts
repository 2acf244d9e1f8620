import { ReviewError } from '../errors.ts';
import type { MemoryProcess } from './memory-process.ts';
import { ProcessKilled } from './memory-process.ts';

/**
 * Where a test can come between two steps of the workspace. Each stands before what it names, and the next
 * one behind it, so that something can happen between any two of them.
 */
export const MEMORY_STEPS = [
  /** `lock` and `look`: the target is read. */
  'look',
  /** `write`: missing parents are made. */
  'makeDirs',
  /** `write`: the temp is created. */
  'write',
  /** `write`: half of the bytes are in the temp. */
  'midWrite',
  /** `publish`: the target is compared with what was seen. */
  'publish',
  /** `publish`: the displaced link is made, or a doomed target is moved to it. */
  'beforeLink',
  /** `publish`: the last comparison, and the rename. Not reached where nothing is replaced. */
  'beforeRename',
  /** `publish`: the new bytes stand there; what was displaced is verified. */
  'afterRename',
  /** `settle`: the displaced copy is removed. */
  'settle',
  /** `abort`: what was staged is removed. */
  'abort',
] as const;
export type MemoryStep = (typeof MEMORY_STEPS)[number];

export type StepHook = (at: { step: MemoryStep; path: string }) => void | Promise<void>;

/** The hooks that tests hung on the steps of one handle. */
export class MemorySteps {
  readonly #process: MemoryProcess;
  readonly #hooks: { step: MemoryStep; hook: StepHook }[] = [];

  constructor(process: MemoryProcess) {
    this.#process = process;
  }

  on(step: MemoryStep, hook: StepHook): () => void {
    const entry = { step, hook };
    this.#hooks.push(entry);
    return () => {
      const index = this.#hooks.indexOf(entry);
      if (index >= 0) this.#hooks.splice(index, 1);
    };
  }

  /** Fails the `nth` time that the step is reached, once. */
  failAt(step: MemoryStep, errno: string, nth: number): void {
    this.#atNth(step, nth, (path) => {
      throw fileFailed(step, path, errno);
    });
  }

  /** Kills the process the `nth` time that the step is reached. */
  crashAt(step: MemoryStep, nth: number): void {
    this.#atNth(step, nth, (path) => {
      this.#process.kill();
      throw new ProcessKilled(`killed at ${step} of ${path}`);
    });
  }

  async reach(step: MemoryStep, path: string): Promise<void> {
    this.#process.check();
    for (const entry of [...this.#hooks]) if (entry.step === step) await entry.hook({ step, path });
    this.#process.check();
  }

  #atNth(step: MemoryStep, nth: number, act: (path: string) => never): void {
    let reached = 0;
    const off = this.on(step, ({ path }) => {
      reached += 1;
      if (reached < nth) return;
      off();
      act(path);
    });
  }
}

function fileFailed(step: string, path: string, errno: string): ReviewError {
  return new ReviewError('fileFailed', `${path} could not be changed (${step}): ${errno}. Nothing was lost`, {
    path,
    errno,
  });
}
