import assert from 'node:assert/strict';
import type { ReviewErrorCode } from '../../errors.ts';
import { ReviewError } from '../../errors.ts';

/** What a contract suite needs of a test runner. Those of vitest, jest and node:test fit. */
export interface Runner {
  describe(name: string, fn: () => void): unknown;
  it(name: string, fn: () => Promise<void>): unknown;
}

export interface Contract<Setup> extends Runner {
  /** A fresh adapter for one test, with nothing in it. */
  setup(): Promise<Setup>;
}

/** Registers a test that gets a fresh adapter and puts it away afterwards, whatever happened. */
export function tester<Setup extends { cleanup(): Promise<void> }>(
  contract: Contract<Setup>,
): (name: string, fn: (setup: Setup) => Promise<void>) => void {
  return (name, fn) => {
    contract.it(name, async () => {
      const setup = await contract.setup();
      try {
        await fn(setup);
      } finally {
        await setup.cleanup();
      }
    });
  };
}

export async function rejectsWith(promise: Promise<unknown>, ...codes: ReviewErrorCode[]): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(ReviewError.isInstance(error), `not a ReviewError: ${String(error)}`);
    assert.ok(codes.includes(error.code), `${error.code} is none of ${codes.join(', ')}`);
    return true;
  });
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A promise with its ends in hand, for what another party does. */
export function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
