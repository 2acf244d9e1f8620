import { DurableError, type DurableErrorCode } from './durable-error.ts';

/**
 * The system's code of a failed call (`ENOSPC`, `EACCES`, …), also where this package has wrapped it; null for
 * anything else, Node's own `ERR_…` codes included.
 *
 * @since 0.1.0
 */
export function errnoOf(error: unknown): string | null {
  if (DurableError.isInstance(error)) return error.errno;
  if (typeof error !== 'object' || error === null) return null;
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : null;
}

const ADVICE: Record<string, string> = {
  ENOSPC: 'the disk is full: free some space, then try again',
  EDQUOT: 'the disk quota is used up: free some space, then try again',
  EFBIG: 'the file would pass the largest size that this process may write',
  EIO: 'the disk reported an error: check it before trusting this file',
  EACCES: 'permission denied: check the owner and the mode of it and of its directory',
  EPERM: 'not permitted: check the owner and the attributes of it and of its directory',
  EROFS: 'the file system is mounted read-only',
  EMFILE: 'this process has too many open files: close some, or raise its limit',
  ENFILE: 'the system has too many open files: close some, or raise its limit',
  ENOENT: 'it, or a directory above it, does not exist',
  ENOTDIR: 'a component above it is not a directory',
  EISDIR: 'it is a directory',
  ELOOP: 'it is a symbolic link, which is never followed here',
  ENAMETOOLONG: 'the name is longer than the file system allows',
  EXDEV: 'it lies on another file system',
  EBUSY: 'another program or a mount keeps it busy',
};

/**
 * What to throw for a failed call: a `DurableError` that says what was tried, on which path, and what to do. An
 * error that no system call made is a fault in the program and goes through unchanged.
 */
export function ioError(
  doing: string,
  path: string,
  cause: unknown,
  code: DurableErrorCode = 'ioFailed',
): unknown {
  const errno = errnoOf(cause);
  if (errno === null) return cause;
  const advice = ADVICE[errno] ?? 'see the cause';
  return new DurableError(code, `Could not ${doing} ${path}: ${errno}, ${advice}.`, { path, errno, cause });
}
