import { errnoOf } from '@backstitch/durable-node';
import { ReviewError } from '@backstitch/review-core';

const ADVICE: Record<string, string> = {
  ENOSPC: 'The disk is full: free some space, then try again.',
  EDQUOT: 'The disk quota is used up: free some space, then try again.',
  EACCES: 'Permission was refused: make the file and its directory writable, then try again.',
  EPERM: 'The system does not permit it: look at the owner and the attributes of the file and its directory.',
  EROFS: 'The file system is read-only: mount it writable, then try again.',
  EBUSY: 'It is in use, or mounted on its own: close what uses it, then try again.',
  EXDEV: 'It is mounted on its own, on another file system than its directory: it can not be replaced.',
  EMFILE: 'This process has too many open files: close some, then try again.',
  ENFILE: 'The system has too many open files: close some, then try again.',
  EIO: 'The disk reported an error: check it before you go on.',
  ENAMETOOLONG: 'The name is too long for this file system.',
  ESTALE: 'Its directory was replaced meanwhile: look at the path again, then try again.',
};

/**
 * What to throw for a failed call: a system call that refused becomes a `ReviewError`; a fault in the program
 * goes through unchanged. `what` completes "could not be …".
 */
export function fileFailed(error: unknown, what: string, path: string): unknown {
  const errno = errnoOf(error);
  if (ReviewError.isInstance(error) || errno === null) return error;
  const advice = ADVICE[errno] ?? `The system said: ${error instanceof Error ? error.message : error}.`;
  const message = `${JSON.stringify(path)} could not be ${what} (${errno}). ${advice}`;
  return new ReviewError('fileFailed', message, { path, errno, cause: error });
}
