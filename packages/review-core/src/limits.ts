/**
 * Bounds of the evidence. They bound what is computed and shown; they never discard bytes that undo needs.
 * Each is an integer of at least 1.
 *
 * @since 0.1.0
 */
export interface PreviewLimits {
  /** Bytes per side above which no text is compared (`tooLarge`). */
  maxBytes: number;
  /** Edit distance in lines above which two texts are `tooDifferent`. Bounds the work, deterministically. */
  maxEditLength: number;
  /** Bytes of a file up to which before and after are kept in the store. Above it: digest only. */
  maxSnapshotBytes: number;
}

export const DEFAULT_LIMITS: Readonly<PreviewLimits> = Object.freeze({
  maxBytes: 8 * 1024 * 1024,
  maxEditLength: 2000,
  maxSnapshotBytes: 16 * 1024 * 1024,
});
