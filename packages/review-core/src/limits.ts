import { ReviewError } from './errors.ts';

/**
 * Bounds of the evidence. They bound what is computed and shown; they never discard bytes that undo needs.
 * Each is an integer of at least 1.
 *
 * @since 0.1.0
 */
export interface PreviewLimits {
  /** Bytes per side above which no text is compared (`tooLarge`). More than 256 MiB has no effect. */
  maxBytes: number;
  /**
   * Edit distance in lines above which two texts are `tooDifferent`. Bounds the work, deterministically. Lines
   * that stand on one side only cost no work and don't count: what is bounded is the search among the rest.
   */
  maxEditLength: number;
  /** Bytes of a file up to which before and after are kept in the store. Above it: digest only. */
  maxSnapshotBytes: number;
}

export const DEFAULT_LIMITS: Readonly<PreviewLimits> = Object.freeze({
  maxBytes: 8 * 1024 * 1024,
  maxEditLength: 2000,
  maxSnapshotBytes: 16 * 1024 * 1024,
});

/** @throws ReviewError `invalidArgument` */
export function resolveLimits(limits?: Partial<PreviewLimits>): PreviewLimits {
  return resolveNumbers<PreviewLimits>(DEFAULT_LIMITS, limits, 1);
}

/** The defaults, with what the caller gave in their place; an integer of at least `least` each. */
export function resolveNumbers<T extends Record<keyof T, number>>(
  defaults: T,
  given: Partial<T> | undefined,
  least: number,
): T {
  const resolved = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof T & string)[]) {
    const value = given?.[name];
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < least) {
      throw new ReviewError(
        'invalidArgument',
        `The limit ${name} is ${String(value)}; give an integer of at least ${least}, or leave it out.`,
      );
    }
    resolved[name] = value;
  }
  return resolved;
}
