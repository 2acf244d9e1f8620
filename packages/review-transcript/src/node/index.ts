export type { DamagedRegion, DamageReason } from '../fold.ts';
export type { HostLine, ItemReview, TranscriptItem } from '../lines.ts';
export type { WindowCursors, WindowRequest } from '../window.ts';
export { openTranscript } from './transcript.ts';
export type { AppendedLine, OpenTranscriptOptions, Transcript, TranscriptWindow } from './types.ts';
