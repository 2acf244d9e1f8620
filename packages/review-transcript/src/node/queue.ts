/** Runs one step after the other. A step that fails does not stop those behind it. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#last.then(step);
    // The failure belongs to the caller of `run`, who holds `result`.
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when every step that was asked for so far has ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
