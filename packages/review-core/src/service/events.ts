/**
 * The events of a session's journal. A store keeps them as they are and knows none of their members.
 *
 * @since 0.1.0
 */
import type { Locator, OwnerRecord } from '../ports/store.ts';
import type { FileIntent } from '../ports/workspace.ts';
import type {
  AgentRef,
  ChangeStatus,
  EntryKind,
  EvidenceKind,
  Facet,
  FileState,
  GapReason,
  IrreversibleReason,
  Operation,
  RoundRef,
  Scope,
} from '../record/v1.ts';

/** Who made the change, and where: the members of a record that are known when it begins. */
export interface BegunRecord {
  version: number;
  messageId: string;
  callId: string;
  rootCallId: string;
  toolName: string;
  agent: AgentRef | null;
  round: RoundRef;
  moveId: string | null;
  createdAt: string;
  root: string;
  path: string;
  scope: Scope;
  operation: Operation;
}

/** What a file holds, without its mode, which is known only once it is published. */
export interface Content {
  digest: string;
  size: number;
  kind: EntryKind;
}

export interface PendingEvent {
  t: 'pending';
  id: string;
  seq: number;
  record: BegunRecord;
  before: FileState | null;
  beforeAt: Locator | null;
  /** Why the change can't be taken back, as far as it is known before the tool ran. */
  blocked: IrreversibleReason | null;
  /** Null: detached, the process that began it may be gone before the tool ends. */
  owner: OwnerRecord | null;
  temp: string;
  displaced: string;
  madeDirs: string[];
}

/** Appended without a sync just before a write of our own, so that a killed capture is told from a foreign edit. */
export interface PublishingEvent {
  t: 'publishing';
  id: string;
  after: Content | null;
}

export interface CommittedEvent {
  t: 'committed';
  id: string;
  status: ChangeStatus;
  failed: boolean;
  after: FileState | null;
  afterSource: 'written' | 'observed';
  afterAt: Locator | null;
  evidence: EvidenceKind;
  additions: number | null;
  deletions: number | null;
  facets: Facet[];
  hunksAt: Locator | null;
  coverage: 'complete' | 'partial';
  reason: IrreversibleReason | null;
}

export interface AbortedEvent {
  t: 'aborted';
  id: string;
}

export interface InterruptedEvent {
  t: 'interrupted';
  id: string;
  seen: FileState | null;
  reason: IrreversibleReason;
}

export interface KeptEvent {
  t: 'kept' | 'unkept';
  ids: string[];
  runs: string[] | null;
  requestId: string | null;
  /** Digest of the request's parameters. */
  params: string;
}

/** The user's consent and the commit point of a rollback. */
export interface IntentEvent {
  t: 'intent';
  planId: string;
  kind: 'rollback';
  requestId: string | null;
  params: string;
  changes: { id: string; prior: string }[];
  files: FileIntent[];
}

export interface SettledEvent {
  t: 'settled';
  planId: string;
  result: 'done' | 'prior' | 'attention';
  reason: string | null;
  message: string;
  wrote: boolean;
}

export interface GapEvent {
  t: 'gap';
  seq: number;
  callId: string;
  messageId: string | null;
  toolName: string | null;
  path: string | null;
  operation: Operation | null;
  reason: GapReason;
  detail: string | null;
  createdAt: string;
}

export interface RoundEvent {
  t: 'round';
  round: RoundRef;
}

export type JournalEvent =
  | PendingEvent
  | PublishingEvent
  | CommittedEvent
  | AbortedEvent
  | InterruptedEvent
  | KeptEvent
  | IntentEvent
  | SettledEvent
  | GapEvent
  | RoundEvent;
