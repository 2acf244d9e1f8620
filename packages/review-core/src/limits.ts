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

/** The defaults, with what the caller gave in their place. Throws `invalidArgument` for what is no limit. */
export function resolveLimits(limits: Partial<PreviewLimits> = {}): PreviewLimits {
  const resolved = { ...DEFAULT_LIMITS };
  for (const name of Object.keys(DEFAULT_LIMITS) as (keyof PreviewLimits)[]) {
    const value = limits[name];
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new ReviewError(
        'invalidArgument',
        `The limit ${name} is ${String(value)}; give an integer of at least 1, or leave it out.`,
      );
    }
    resolved[name] = value;
  }
  return resolved;
}
