import { DurableError, type DurableErrorCode, errnoOf } from '@backstitch/durable-node';
import { ReviewError, type ReviewErrorCode } from '@backstitch/review-core';

const CODES: Record<DurableErrorCode, ReviewErrorCode> = {
  invalidArgument: 'invalidArgument',
  tooLong: 'invalidArgument',
  notAFile: 'storeDamaged',
  ioFailed: 'storeFailed',
  uncertain: 'storeFailed',
  sealed: 'storeFailed',
  replaced: 'storeFailed',
  closed: 'closed',
};

/**
 * The error of a failed file operation of the store, as callers of the port know it. A fault in a program goes
 * through as it is.
 */
export function storeFailure(error: unknown): unknown {
  if (DurableError.isInstance(error)) return wrap(CODES[error.code], error.message, error.path, error);
  if (errnoOf(error) === null || ReviewError.isInstance(error)) return error;
  const { message, path } = error as NodeJS.ErrnoException;
  return wrap('storeFailed', `The store failed: ${message}.`, path ?? null, error);
}

function wrap(code: ReviewErrorCode, message: string, path: string | null, cause: unknown): ReviewError {
  const errno = errnoOf(cause);
  return new ReviewError(code, message, {
    cause,
    ...(path === null ? {} : { path }),
    ...(errno === null ? {} : { errno }),
  });
}

/** Runs `fn`; what fails in it fails as the store's. */
export async function asStore<T>(fn: () => Promise<T>): Promise<T> {
  try {
    return await fn();
  } catch (error) {
    // Every refusal of the file system below this store: told with its errno, never retried here.
    throw storeFailure(error);
  }
}
