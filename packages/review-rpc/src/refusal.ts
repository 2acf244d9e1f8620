import { ReviewError } from '@backstitch/review-core';
import { type WireError, wireError } from './envelope.ts';
import { RPC_ERROR_CODES, type RpcErrorKind } from './error-codes.ts';

/** Why the server doesn't carry out a call. Never leaves the package: the peer gets its kind and message. */
export class Refusal extends Error {
  readonly kind: RpcErrorKind;

  constructor(kind: RpcErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * What the peer is told of a failed call. A `ReviewError`'s message is written for it. Of anything else it
 * learns nothing, neither a stack nor a path: null, and the host's log has to say why.
 */
export function answerFor(error: unknown): WireError | null {
  if (error instanceof Refusal) return wireError(error.kind, error.message);
  if (!ReviewError.isInstance(error)) return null;
  // A code of a newer core has no number here; its kind still says what it is.
  const known = Object.hasOwn(RPC_ERROR_CODES, error.code);
  const code = known ? RPC_ERROR_CODES[error.code] : RPC_ERROR_CODES.internal;
  return { code, message: error.message, data: { kind: error.code } };
}
