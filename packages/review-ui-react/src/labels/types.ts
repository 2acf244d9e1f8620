import type {
  ChangeState,
  ChangeStatus,
  EvidenceKind,
  GapReason,
  IrreversibleReason,
  Operation,
  OutcomeReason,
  Scope,
  UnreadableRecord,
} from '@backstitch/review-core';

/**
 * Every word that the parts show or announce. A text may hold `{names}` in braces; which ones it may use is
 * said where it is declared. Values are put in as text, never as markup.
 *
 * @since 0.1.0
 */

/** One text per plural category of the locale (`Intl.PluralRules`); `other` is the one that must be there. */
export interface PluralText {
  zero?: string;
  one?: string;
  two?: string;
  few?: string;
  many?: string;
  other: string;
}

/** What happened, and what a person can do about it. `{path}` in both. */
export interface Advice {
  what: string;
  next: string;
}

export type ConflictReason = Extract<
  OutcomeReason,
  'changedOnDisk' | 'deleted' | 'replacedKind' | 'laterChange' | 'rootChanged' | 'foreignWrite'
>;
export type UnavailableReason =
  | IrreversibleReason
  | Extract<OutcomeReason, 'pending' | 'needsAttention' | 'aborted' | 'readOnlySession'>;

export interface ReviewLabels {
  /** BCP 47 tag for numbers, plurals and dates. */
  locale: string;
  panel: {
    title: string;
    loading: string;
    disconnected: string;
    /** `{reason}` */
    failed: string;
    retry: string;
    empty: string;
    emptyRound: string;
    /** What is recorded and what is not; shown below every list and in an empty one. */
    coverage: string;
    /** `{reviewed}`, `{total}` */
    reviewed: string;
    files: PluralText;
    changes: PluralText;
    /** `{path}`, `{reason}` */
    brokenFile: string;
  };
  round: {
    picker: string;
    latest: string;
    all: string;
    /** `{number}` */
    numbered: string;
    /** `{id}` */
    unnumbered: string;
    /** `{name}`, `{files}`, `{counts}` */
    option: string;
  };
  counts: {
    /** `{count}` */
    added: string;
    /** `{count}` */
    deleted: string;
    unknown: string;
    addedWords: PluralText;
    deletedWords: PluralText;
    unknownWords: string;
  };
  status: Record<ChangeStatus, { letter: string; word: string }>;
  state: Record<ChangeState, string>;
  operation: Record<Operation, string>;
  scope: Record<Scope, string>;
  evidence: Record<Exclude<EvidenceKind, 'text'>, string>;
  badge: {
    bomAdded: string;
    bomRemoved: string;
    bomChanged: string;
    lineEndings: string;
    /** `{from}`, `{to}` */
    lineEndingsFromTo: string;
    finalNewlineAdded: string;
    finalNewlineRemoved: string;
    finalNewlineChanged: string;
    /** `{from}`, `{to}`: octal permission bits */
    mode: string;
    kind: Record<'file' | 'symlink', string>;
    /** `{from}`, `{to}` */
    kindFromTo: string;
    failed: string;
    partial: string;
    /** `{name}` */
    agent: string;
  };
  card: {
    loading: string;
    /** `{reason}` */
    failed: string;
    /** `{tool}`, `{operation}` */
    byTool: string;
    noTextChange: string;
  };
  action: {
    keep: string;
    unkeep: string;
    rollback: string;
    rollbackDeletes: string;
    copyPatch: string;
    copyAll: string;
    /** `{action}`, `{path}`: the accessible name of a button in a list of many. */
    on: string;
    dismiss: string;
    showLater: string;
  };
  off: {
    /** `{reason}` */
    keep: string;
    /** `{reason}` */
    rollback: string;
    disconnected: string;
    running: string;
    viewer: string;
    state: Record<Exclude<ChangeState, 'active' | 'kept'>, string>;
  };
  unavailable: Record<UnavailableReason, string>;
  conflict: Record<ConflictReason, Advice>;
  outcome: {
    kept: string;
    unkept: string;
    alreadyKept: string;
    rolledBack: string;
    rolledBackDeleted: string;
    alreadyRolledBack: string;
    alreadyAtBefore: string;
    redone: string;
    nothingToUndo: string;
    stale: string;
    conflictTitle: string;
    unavailableTitle: string;
    busy: Advice;
    failed: Advice;
    uncertain: Advice;
    /** `{code}`: the system's own error code */
    errno: string;
    /** `{reason}`: the call itself failed, and it is not known what it did */
    error: Advice;
  };
  copy: {
    patch: string;
    line: string;
    leftOut: PluralText;
    nothing: string;
    failed: string;
  };
  hunk: {
    /** `{path}` */
    table: string;
    oldLine: string;
    newLine: string;
    sign: string;
    text: string;
    added: string;
    deleted: string;
    context: string;
    contextOption: PluralText;
    noNewline: { before: string; after: string; both: string };
    /** `{count}` of `{total}` characters are shown */
    cut: string;
    copyLine: string;
    unavailable: string;
    malformed: Record<'shape' | 'lines' | 'counts' | 'marker' | 'order' | 'view', string>;
    token: Record<'carriageReturn' | 'control' | 'bidi' | 'invisible' | 'surrogate', string>;
  };
  gap: {
    title: PluralText;
    unknownPath: string;
    reason: Record<GapReason, string>;
    more: PluralText;
  };
  unreadable: {
    title: PluralText;
    kind: Record<UnreadableRecord['unreadable'], string>;
    unknownId: string;
  };
}

/** A part of the labels: what is left out is taken from the defaults. */
export type PartialLabels = DeepPartial<ReviewLabels>;
type DeepPartial<T> = T extends string ? T : { [K in keyof T]?: DeepPartial<T[K]> };
