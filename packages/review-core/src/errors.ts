/**
 * The one error of Backstitch. A thing that can lawfully happen (a conflict, a busy file) is a value; a
 * `ReviewError` means that a promise was broken: a bad argument, damage, a disk that refused.
 *
 * Recognise it by `ReviewError.isInstance`, never by `instanceof`: two copies of this package in one
 * application are likely.
 *
 * @since 0.1.0
 */

/** Every code there is. Codes are forever: one may be added, none is renamed or given another meaning. */
export const ERROR_CODES = [
  'invalidArgument',
  'pathRefused',
  'unknownRecord',
  'unknownCall',
  'requestReused',
  'callReused',
  'changedSinceRead',
  'captureFailed',
  'unsupportedKind',
  'busy',
  'lockLost',
  'storePlacement',
  'storeDamaged',
  'storeReadOnly',
  'storeFailed',
  'fileFailed',
  'cursorExpired',
  'notAllowed',
  'closed',
] as const;
export type ReviewErrorCode = (typeof ERROR_CODES)[number];

const BRAND = Symbol.for('@backstitch/ReviewError');

export interface ReviewErrorDetails {
  /** The path that it is about: workspace-relative, or absolute where there is no workspace. */
  path?: string;
  /** The system's own code (`ENOSPC`, …) where a system call refused. */
  errno?: string;
  cause?: unknown;
}

export class ReviewError extends Error {
  override readonly name = 'ReviewError';
  readonly code: ReviewErrorCode;
  readonly path: string | null;
  readonly errno: string | null;

  /** @param message what happened, to which path, and what the caller can do */
  constructor(code: ReviewErrorCode, message: string, details: ReviewErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.path = details.path ?? null;
    this.errno = details.errno ?? null;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Whether `value` is a `ReviewError` of any copy of this package. */
  static isInstance(value: unknown): value is ReviewError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
  }
}
