/**
 * Calls a callback of the host's. What it throws is no failure of the append that came before: the line is on
 * disk. It becomes a process warning, so that it is not lost either.
 */
export function callHost(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : new Error(String(error)));
  }
}
