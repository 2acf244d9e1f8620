/**
 * The fold: what a session's journal says, as records.
 *
 * Purpose: the store keeps events, this class is what they mean. It is the only place where a state changes.
 * Calling sequence: `apply` for each event in the journal's order, `damaged` for each region that is none.
 * Failure behaviour: never throws. An event that does not fit the state before it (a second `committed`, a
 * `kept` of an unknown id) changes nothing: the first lawful event stands, whatever is written after it.
 *
 * Overlap groups are derived here and nowhere stored: two captures of one path that were open at one time
 * can't be told apart afterwards, so they share a `groupId` and none of them is reversible alone.
 */
import type { Locator, OwnerRecord } from '../ports/store.ts';
import { canMove } from '../record/state.ts';
import type {
  ChangeState,
  FileState,
  Gap,
  IrreversibleReason,
  ReviewChange,
  RoundRef,
  UnreadableRecord,
} from '../record/v1.ts';
import { RECORD_VERSION } from '../record/v1.ts';
import type {
  CommittedEvent,
  Content,
  GapEvent,
  IntentEvent,
  JournalEvent,
  KeptEvent,
  PendingEvent,
  SettledEvent,
} from './events.ts';

/** A record and what only the service needs of it. */
export interface Entry {
  change: ReviewChange;
  beforeAt: Locator | null;
  afterAt: Locator | null;
  hunksAt: Locator | null;
  /** Null: detached. */
  owner: OwnerRecord | null;
  temp: string;
  displaced: string;
  madeDirs: string[];
  /** What the capture's own write was about to publish; undefined where it never got there. */
  publishing: Content | null | undefined;
  blocked: IrreversibleReason | null;
  /** The state to go back to when an undo is not carried out. */
  prior: ChangeState;
}

/** A rollback that was consented to. */
export interface Plan {
  intent: IntentEvent;
  /** Null while it is under way, or was cut short. */
  settled: SettledEvent | null;
}

/** What a `requestId` was first used for. */
export interface Request {
  params: string;
  verb: 'kept' | 'unkept' | 'rollback';
  ids: string[];
  planId: string | null;
}

export const pathKey = (root: string, path: string): string => JSON.stringify([root, path]);

export class Fold {
  readonly sessionId: string;
  /** By id. */
  readonly entries: Map<string, Entry> = new Map();
  /** By root and path, in the order of record. */
  readonly byPath: Map<string, Entry[]> = new Map();
  readonly plans: Map<string, Plan> = new Map();
  readonly requests: Map<string, Request> = new Map();
  readonly gaps: Gap[] = [];
  readonly unreadable: UnreadableRecord[] = [];
  round: RoundRef | null = null;
  nextSeq = 1;
  /** Why nothing may be written to this session; null where it may. */
  readOnly: string | null = null;

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  /** Answers the ids of the changes that are different afterwards. */
  apply(event: JournalEvent): string[] {
    switch (event.t) {
      case 'pending':
        return this.#pending(event);
      case 'publishing':
        return this.#with(event.id, (entry) => {
          if (entry.change.state === 'pending') entry.publishing = event.after;
        });
      case 'committed':
        return this.#with(event.id, (entry) => commit(entry, event));
      case 'aborted':
        return this.#with(event.id, (entry) => move(entry, 'aborted'));
      case 'interrupted':
        return this.#with(event.id, (entry) => {
          if (!move(entry, 'interrupted')) return;
          entry.change.after = event.seen;
          refuse(entry.change, event.reason);
        });
      case 'kept':
      case 'unkept':
        return this.#keep(event);
      case 'intent':
        return this.#intent(event);
      case 'settled':
        return this.#settled(event);
      case 'gap':
        return this.#gap(event);
      case 'round':
        this.round = event.round;
        return [];
    }
  }

  /** A region of the journal, or an event, that can't be read: told in its place, hides nothing else. */
  damaged(kind: 'damaged' | 'newer', id: string | null, seq: number | null, reason: string): void {
    this.unreadable.push({ unreadable: kind, id, seq, sessionId: this.sessionId, reason });
    if (seq !== null) this.nextSeq = Math.max(this.nextSeq, seq + 1);
  }

  /** Changes of one path, in the order of record. */
  of(change: { root: string; path: string }): readonly Entry[] {
    return this.byPath.get(pathKey(change.root, change.path)) ?? [];
  }

  byCall(callId: string): Entry[] {
    return [...this.entries.values()].filter((entry) => entry.change.callId === callId);
  }

  #with(id: string, act: (entry: Entry) => void): string[] {
    const entry = this.entries.get(id);
    if (entry === undefined) return [];
    act(entry);
    return [id];
  }

  #pending(event: PendingEvent): string[] {
    this.nextSeq = Math.max(this.nextSeq, event.seq + 1);
    if (this.entries.has(event.id)) return [];
    const entry: Entry = {
      change: begin(this.sessionId, event),
      beforeAt: event.beforeAt,
      afterAt: null,
      hunksAt: null,
      owner: event.owner,
      temp: event.temp,
      displaced: event.displaced,
      madeDirs: event.madeDirs,
      publishing: undefined,
      blocked: event.blocked,
      prior: 'active',
    };
    const key = pathKey(entry.change.root, entry.change.path);
    const siblings = this.byPath.get(key) ?? [];
    const crossed = group(siblings, entry);
    siblings.push(entry);
    this.byPath.set(key, siblings);
    this.entries.set(event.id, entry);
    return [...crossed, event.id];
  }

  #keep(event: KeptEvent): string[] {
    this.#remember(event.requestId, { params: event.params, verb: event.t, ids: event.ids, planId: null });
    return event.ids.flatMap((id) => this.#with(id, (entry) => mark(entry, event)));
  }

  #intent(event: IntentEvent): string[] {
    const ids = event.changes.map((change) => change.id);
    if (this.plans.has(event.planId)) return [];
    this.plans.set(event.planId, { intent: event, settled: null });
    this.#remember(event.requestId, { params: event.params, verb: 'rollback', ids, planId: event.planId });
    return event.changes.flatMap(({ id }) =>
      this.#with(id, (entry) => {
        const prior = entry.change.state;
        if (move(entry, 'undoing')) entry.prior = prior;
      }),
    );
  }

  #settled(event: SettledEvent): string[] {
    const plan = this.plans.get(event.planId);
    if (plan === undefined || plan.settled !== null) return [];
    plan.settled = event;
    return plan.intent.changes.flatMap(({ id }) =>
      this.#with(id, (entry) => {
        if (event.result === 'done') move(entry, 'rolledBack');
        else if (event.result === 'prior') move(entry, entry.prior);
        else move(entry, 'needsAttention');
      }),
    );
  }

  #gap(event: GapEvent): string[] {
    this.nextSeq = Math.max(this.nextSeq, event.seq + 1);
    const { t: _, ...gap } = event;
    this.gaps.push({ ...gap, sessionId: this.sessionId });
    return [];
  }

  #remember(requestId: string | null, request: Request): void {
    if (requestId !== null && !this.requests.has(requestId)) this.requests.set(requestId, request);
  }
}

function begin(sessionId: string, event: PendingEvent): ReviewChange {
  const { version: _, ...record } = event.record;
  return {
    version: RECORD_VERSION,
    id: event.id,
    sessionId,
    ...record,
    forkedFrom: null,
    seq: event.seq,
    status: event.before === null ? 'added' : 'modified',
    failed: false,
    before: event.before,
    after: null,
    additions: null,
    deletions: null,
    evidence: 'unavailable',
    facets: [],
    afterSource: 'observed',
    coverage: 'complete',
    groupId: null,
    reversible: false,
    irreversibleReason: event.blocked ?? 'interrupted',
    state: 'pending',
    keptRuns: [],
  };
}

/** Joins an opening capture with those of its path that are open; answers the ids that got a group. */
function group(siblings: readonly Entry[], entry: Entry): string[] {
  const open = siblings.filter((other) => other.change.state === 'pending');
  if (open.length === 0) return [];
  const groupId = open.find((other) => other.change.groupId !== null)?.change.groupId ?? open[0]!.change.id;
  for (const member of [...open, entry]) member.change.groupId = groupId;
  return open.map((other) => other.change.id);
}

function move(entry: Entry, to: ChangeState): boolean {
  if (!canMove(entry.change.state, to)) return false;
  entry.change.state = to;
  return true;
}

function refuse(change: ReviewChange, reason: IrreversibleReason): void {
  change.reversible = false;
  change.irreversibleReason = reason;
}

function commit(entry: Entry, event: CommittedEvent): void {
  const late = entry.change.state === 'aborted' || entry.change.state === 'interrupted';
  if (entry.change.state !== 'pending' && !late) return;
  const { t: _, id: _id, afterAt, hunksAt, reason, ...known } = event;
  Object.assign(entry.change, known);
  entry.afterAt = afterAt;
  entry.hunksAt = hunksAt;
  entry.change.state = 'active';
  entry.change.reversible = true;
  entry.change.irreversibleReason = null;
  const blocked = entry.blocked ?? reason ?? (entry.change.groupId === null ? null : 'overlap');
  if (blocked !== null) refuse(entry.change, blocked);
}

function mark(entry: Entry, event: KeptEvent): void {
  const { change } = entry;
  if (event.runs !== null) {
    const runs = new Set(change.keptRuns);
    for (const run of event.runs) event.t === 'kept' ? runs.add(run) : runs.delete(run);
    change.keptRuns = [...runs];
  } else if (event.t === 'kept') {
    move(entry, 'kept');
  } else if (change.state === 'kept') {
    move(entry, 'active');
    change.keptRuns = [];
  }
}

/** Whether two sides hold the same thing; the mode is compared only where a caller asks for it. */
export function sameContent(a: Content | FileState | null, b: Content | FileState | null): boolean {
  if (a === null || b === null) return a === b;
  return a.kind === b.kind && a.size === b.size && a.digest === b.digest;
}
