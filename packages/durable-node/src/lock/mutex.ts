/** One holder per key at a time inside this process, first come, first served. */
export interface KeyedMutex {
  /** Null where the key did not come free in time. Otherwise what frees it; once is enough, more do nothing. */
  take(key: string, timeoutMs: number): Promise<(() => void) | null>;
}

export function createKeyedMutex(): KeyedMutex {
  const queues = new Map<string, Array<() => void>>();

  function release(key: string): () => void {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = queues.get(key)?.shift();
      if (next === undefined) queues.delete(key);
      else next();
    };
  }

  return {
    async take(key, timeoutMs) {
      const queue = queues.get(key);
      if (queue === undefined) {
        queues.set(key, []);
        return release(key);
      }
      return (await waitIn(queue, timeoutMs)) ? release(key) : null;
    },
  };
}

function waitIn(queue: Array<() => void>, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(turn), 1);
      resolve(false);
    }, timeoutMs);
    const turn = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    queue.push(turn);
  });
}
