import { z } from 'zod';

/**
 * The vocabulary of the wire: every param is made of these, so that each has a bound and none can name a
 * place on disk. Results say what a reader may count on; members beyond it pass, and so do values of
 * enumerations that this version doesn't know.
 */

const id = (max: number, what: string): z.ZodString => z.string().min(1).max(max).describe(what);

export const sessionId: z.ZodString = id(512, 'The session, by the id that the host gave it.');
export const snapshotId: z.ZodString = id(128, 'One recorded change, by its id.');
export const snapshotIds: z.ZodArray<z.ZodString> = z
  .array(snapshotId)
  .min(1)
  .max(1000)
  .describe('Recorded changes, by their ids.');
export const runs: z.ZodOptional<z.ZodArray<z.ZodString>> = z
  .array(id(64, 'One run of changed lines, by its id.'))
  .min(1)
  .max(1000)
  .optional()
  .describe('Only these runs of changed lines; absent: all of them.');
export const requestId: z.ZodOptional<z.ZodString> = id(
  128,
  'Made by the client. The same id with the same params gives the first outcome again.',
).optional();
export const cursor: z.ZodOptional<z.ZodString> = z
  .string()
  .min(1)
  .max(4096)
  .optional()
  .describe('`nextCursor` of the page before; absent: the first page. Opaque.');
export const limit: z.ZodOptional<z.ZodNumber> = z
  .int()
  .min(1)
  .max(1000)
  .optional()
  .describe('At most so many items.');
export const contextLines: z.ZodType<1 | 3 | 5> = z
  .union([z.literal(1), z.literal(3), z.literal(5)])
  .describe('Lines of context around each hunk.');

/** Params of a method: these members and no other. */
export function params<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape);
}

/** A result: at least these members. */
export function result<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$loose> {
  return z.looseObject(shape);
}

const count: z.ZodType = z.int().min(0).nullable();
const text: z.ZodString = z.string();

export const change: z.ZodType = z.looseObject({
  version: z.int(),
  id: text,
  sessionId: text,
  seq: z.int(),
  round: z.looseObject({ id: text, ordinal: z.int().nullable() }),
  path: text,
  status: text,
  state: text,
  additions: count,
  deletions: count,
  reversible: z.boolean(),
  irreversibleReason: text.nullable(),
});
export const unreadable: z.ZodType = z.looseObject({
  unreadable: text,
  id: text.nullable(),
  sessionId: text,
  reason: text,
});
export const hunks: z.ZodType = z.array(
  z.looseObject({
    header: text,
    oldStart: z.int(),
    oldLines: z.int(),
    newStart: z.int(),
    newLines: z.int(),
    lines: z.array(text),
    runs: z.array(text),
  }),
);
export const outcome: z.ZodType = z.looseObject({
  status: text,
  changes: z.array(change),
  reason: text.nullable(),
  path: text.nullable(),
  message: text,
  wrote: z.boolean(),
  rollbackId: text.nullable(),
});
export const round: z.ZodType = z.looseObject({
  id: text,
  ordinal: z.int().nullable(),
  firstSeq: z.int(),
  files: z.array(z.looseObject({ root: text, path: text, scope: text, snapshotIds: z.array(text) })),
  changes: z.int(),
  reviewed: z.int(),
  additions: count,
  deletions: count,
});
export const changed: z.ZodType = z.looseObject({
  sessionId: text,
  revision: text.nullable(),
  snapshotIds: z.array(text),
});

export { z };
