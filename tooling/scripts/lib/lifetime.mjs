import { constants } from 'node:os';

/**
 * Calls `end(signal)` once when this process is asked to end: by a signal, or because `npm` is gone. npm hands a
 * signal to its shell only, and a shell that dies of it leaves us behind as an orphan with nobody to end us.
 */
export function onEnd(end) {
  const parent = process.ppid;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    end('SIGTERM');
  }, 500);
  watch.unref();
}

/** The exit code by which a shell tells that a command ended by `signal`. */
export function exitCodeOf(signal) {
  return 128 + constants.signals[signal];
}
