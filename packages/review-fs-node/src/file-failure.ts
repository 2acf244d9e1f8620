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

/** A system call refused. `what` completes "could not be …". */
export function fileFailed(error: unknown, what: string, path: string): ReviewError {
  if (ReviewError.isInstance(error)) return error;
  const errno = errnoOf(error);
  const advice =
    (errno && ADVICE[errno]) ?? `The system said: ${error instanceof Error ? error.message : error}`;
  const message = `${JSON.stringify(path)} could not be ${what}${errno ? ` (${errno})` : ''}. ${advice}`;
  return new ReviewError('fileFailed', message, { path, cause: error, ...(errno ? { errno } : {}) });
}
