/**
 * The one error of this package. It means that a promise could not be kept: a system call refused, or an argument
 * makes no sense. What can lawfully happen (a missing file, a lock that somebody holds) is a value.
 *
 * Recognise it by `DurableError.isInstance`, never by `instanceof`: two copies of this package in one application
 * are likely.
 *
 * @since 0.1.0
 */

/** Every code there is. Codes are forever: one may be added, none is renamed or given another meaning. */
export const DURABLE_ERROR_CODES = [
  'invalidArgument',
  'ioFailed',
  'uncertain',
  'sealed',
  'notAFile',
  'replaced',
  'tooLong',
  'closed',
] as const;
export type DurableErrorCode = (typeof DURABLE_ERROR_CODES)[number];

const BRAND = Symbol.for('@backstitch/DurableError');

export interface DurableErrorDetails {
  /** The absolute or relative path as the caller gave it. */
  path?: string;
  /** The system's own code (`ENOSPC`, …) where a system call refused. */
  errno?: string;
  cause?: unknown;
}

/** @since 0.1.0 */
export class DurableError extends Error {
  override readonly name = 'DurableError';
  readonly code: DurableErrorCode;
  readonly path: string | null;
  readonly errno: string | null;

  /** @param message what happened, to which path, and what the caller can do */
  constructor(code: DurableErrorCode, message: string, details: DurableErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.path = details.path ?? null;
    this.errno = details.errno ?? null;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Whether `value` is a `DurableError` of any copy of this package. */
  static isInstance(value: unknown): value is DurableError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
  }
}
