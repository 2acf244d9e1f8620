export type { DamagedRegion, DamageReason, FoldedLine, Layout, LineEntry, Row } from './fold.ts';
export { createLayout, foldEntry, latestState, overlay } from './fold.ts';
export type { ClassifiedLine, Hash, HostLine, ItemReview, LineDamage, TranscriptItem } from './lines.ts';
export {
  classifyLine,
  encodeHostLine,
  encodeStateLine,
  ownedSnapshotIds,
  STATE_LINE_TYPE,
  STATE_LINE_VERSION,
} from './lines.ts';
export { toWellFormedValue } from './well-formed.ts';
export type { WindowCursors, WindowRequest } from './window.ts';
export { selectWindow } from './window.ts';
