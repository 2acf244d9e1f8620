import { RPC_ERROR_CODES, type RpcErrorKind } from './error-codes.ts';

const BRAND = Symbol.for('@backstitch/ReviewRpcError');

/**
 * Why a call was not carried out. What happened to a call that was is its result, never this.
 *
 * Recognise it by `ReviewRpcError.isInstance`, never by `instanceof`: two copies of this package in one
 * application are likely.
 *
 * @since 0.1.0
 */
export class ReviewRpcError extends Error {
  override readonly name = 'ReviewRpcError';
  /** What to branch on. A newer host may send a kind that this version doesn't know. */
  readonly kind: RpcErrorKind | (string & {});
  /** The number on the wire; see `RPC_ERROR_CODES`. */
  readonly code: number;
  /** The method that was called. */
  readonly method: string;

  constructor(error: { kind: string; code: number; message: string }, method: string) {
    super(error.message);
    this.kind = error.kind;
    this.code = error.code;
    this.method = method;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Whether `value` is a `ReviewRpcError` of any copy of this package. */
  static isInstance(value: unknown): value is ReviewRpcError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
  }
}

/** An error that the client makes by itself. */
export function localError(kind: RpcErrorKind, message: string, method: string): ReviewRpcError {
  return new ReviewRpcError({ kind, code: RPC_ERROR_CODES[kind], message }, method);
}
