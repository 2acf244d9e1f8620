import type { z } from 'zod';
import type { MethodKey } from './calls.ts';
import * as fields from './fields.ts';
import * as registry from './registry.ts';

/**
 * The zod schemas of every method, for hosts that check or describe the wire themselves. The server uses the
 * same ones. Params are strict, results loose.
 *
 * @since 0.1.0
 */
export interface MethodSchema {
  readonly name: string;
  readonly params: z.ZodType;
  readonly result: z.ZodType;
}

/** By the name that the client calls it by (`list` for `review.list`). */
export const methodSchemas: Readonly<Record<MethodKey, MethodSchema>> = Object.freeze(
  Object.fromEntries(
    Object.entries(registry).map(([key, method]) => [
      key,
      Object.freeze({ name: method.name, params: method.params(fields), result: method.result(fields) }),
    ]),
  ) as Record<MethodKey, MethodSchema>,
);

/** Params of the notification `review.changed`. */
export const changedSchema: z.ZodType = fields.changed;
