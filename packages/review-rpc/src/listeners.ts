/** Listeners of one kind. One that throws is a defect of its owner and must not keep the others from hearing. */
export interface Listeners<T> {
  add(listener: (value: T) => void): () => void;
  emit(value: T): void;
}

export function createListeners<T>(): Listeners<T> {
  // Wrapped, so that the same function added twice is two subscriptions, each with its own end.
  const entries = new Set<{ listener: (value: T) => void }>();
  return {
    add(listener) {
      const entry = { listener };
      entries.add(entry);
      return () => void entries.delete(entry);
    },
    emit(value) {
      for (const { listener } of [...entries]) {
        try {
          listener(value);
        } catch (error) {
          // Covers a listener's own defect: reported as an uncaught rejection, as an event target would.
          void Promise.reject(error);
        }
      }
    },
  };
}
