/**
 * The protocol's own number, told by `review.discover`. It rises when a reader of the former number would
 * misread something; a new method, param or member doesn't raise it (`methods` says what is there). It is
 * neither the record's version nor the package's.
 *
 * @since 0.1.0
 */
export const PROTOCOL_REVISION = 1;
