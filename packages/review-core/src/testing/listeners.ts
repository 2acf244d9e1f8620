/** Listeners are called later, once for all that happened meanwhile, as a file watcher would. */
export function subscribe(listeners: Set<() => void>, listener: () => void): () => void {
  let due = false;
  const later = (): void => {
    if (due) return;
    due = true;
    setTimeout(() => {
      due = false;
      if (listeners.has(later)) listener();
    }, 0);
  };
  listeners.add(later);
  return () => void listeners.delete(later);
}

export function notifyAll<Args extends unknown[]>(
  listeners: Set<(...args: Args) => void>,
  ...args: Args
): void {
  for (const listener of [...listeners]) listener(...args);
}
