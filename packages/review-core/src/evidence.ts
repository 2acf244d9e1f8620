/**
 * What a view needs of recorded evidence: pure functions over plain data, without a schema library and without a
 * diff engine.
 *
 * @since 0.1.0
 */
export type { Checked } from './record/guard.ts';
export { checkChange, checkHunks, isReadable } from './record/guard.ts';
export type { ReviewChange, ReviewHunk, RunId } from './record/v1.ts';
export { hunksWithContext } from './text/context.ts';
export { toUnifiedPatch } from './text/patch.ts';
export type { Run } from './text/runs-of.ts';
export { runsOf } from './text/runs-of.ts';
