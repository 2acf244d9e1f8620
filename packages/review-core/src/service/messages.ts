/** The sentences that more than one verb says. Each: what happened, to which path, what to do. */
import { ReviewError } from '../errors.ts';
import type { Busy } from '../ports/capabilities.ts';
import type { Refused } from '../ports/workspace.ts';

export function busyMessage(busy: Busy): string {
  const what = busy.path === null ? `The ${busy.what}` : `'${busy.path}'`;
  const { holder } = busy;
  const by =
    holder === null ? 'another process' : `${holder.app ?? 'a process'} (pid ${holder.pid ?? 'unknown'})`;
  return `${what} is held by ${by}. Nothing was written; try again when it is done.`;
}

export function busyError(busy: Busy): ReviewError {
  return new ReviewError('busy', busyMessage(busy), busy.path === null ? {} : { path: busy.path });
}

export function refusedError(refused: Refused): ReviewError {
  return new ReviewError('pathRefused', refused.message, { path: refused.path });
}
