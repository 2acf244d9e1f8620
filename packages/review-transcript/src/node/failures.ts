import { DurableError, errnoOf } from '@backstitch/durable-node';
import { ReviewError } from '@backstitch/review-core';

/** The one error that a disk, a missing file or a file of the wrong kind ends in. */
export function storeFailed(
  message: string,
  path: string,
  errno: string | null,
  cause?: unknown,
): ReviewError {
  return new ReviewError('storeFailed', message, { path, cause, ...(errno === null ? {} : { errno }) });
}

/** A line that stood in the file when it was looked at, and can't be read as that line any more. */
export function lineDamaged(path: string, messageId: string): ReviewError {
  const message =
    `The line of ${JSON.stringify(messageId)} in the transcript ${path} can't be read any more: it was changed or ` +
    'damaged. `health` lists damaged regions; open the transcript again to take the file as it is now.';
  return new ReviewError('storeDamaged', message, { path });
}

/** Runs one step on the transcript's file; what the system refused becomes a `ReviewError` that names the path. */
export async function onFile<T>(path: string, step: () => Promise<T> | T): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw toReviewError(path, error);
  }
}

/** An error that no system call made is a fault in the program and goes through unchanged. */
export function toReviewError(path: string, error: unknown): unknown {
  if (DurableError.isInstance(error)) return storeFailed(error.message, path, error.errno, error);
  const errno = errnoOf(error);
  if (errno === null) return error;
  const message = `The transcript ${path} can't be used: ${errno}. Check the path, its rights and its disk.`;
  return storeFailed(message, path, errno, error);
}

/** The line was written and then could not be found where it was put: somebody else writes without the lock. */
export function storeDamagedAppend(path: string, offset: number): ReviewError {
  const message =
    `The line appended to the transcript ${path} at byte ${offset} was changed by another program at once. ` +
    'Let only one program, or only this package, write to the file.';
  return new ReviewError('storeDamaged', message, { path });
}
