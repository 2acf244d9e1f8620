import type * as z from 'zod/mini';

/** A type without the index signature that stands for unknown members. */
type Known<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T as string extends K ? never : K]: Known<T[K]> }
    : T;

/**
 * Takes a schema whose output is `T`, and compiles with no other: each can stand for the other. The result has
 * the record's own name for a type, so that no declaration of ours spells out a schema's insides.
 */
export function mirrorOf<T>(): <S extends z.ZodMiniType<T>>(
  schema: S & (T extends Known<z.output<S>> ? unknown : never),
) => z.ZodMiniType<T> {
  return (schema) => schema;
}
