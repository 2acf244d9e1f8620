import { ReviewError } from '@backstitch/review-core';

/** The error that a call ends in; anything else is thrown. */
export async function errorOf(call: Promise<unknown>): Promise<ReviewError> {
  try {
    await call;
  } catch (error) {
    if (ReviewError.isInstance(error)) return error;
    throw error;
  }
  throw new Error('The call did not fail.');
}

export async function codeOf(call: Promise<unknown>): Promise<string> {
  return (await errorOf(call)).code;
}
