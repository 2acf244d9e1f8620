/**
 * The record as zod schemas, for wires and documents. The guards in `record/guard.ts` give the same answers
 * without zod; each schema here compiles only where its output and the record's type are equal.
 *
 * Built on `zod/mini`, which costs a bundle the least; the schemas are lawful parts of schemas made with `zod`.
 *
 * @since 0.1.0
 */
import * as z from 'zod/mini';
import type { Outcome } from './outcome.ts';
import { OUTCOME_REASONS, OUTCOME_STATUSES } from './outcome.ts';
import { changeFault, hunkFault } from './record/consistency.ts';
import { mirrorOf } from './record/mirror.ts';
import { DIGEST, HUNK_LINE, MAX_MODE, NAME, PATH, ROOT, RUN_ID, TIMESTAMP, UUID } from './record/patterns.ts';
import type { FileState, Gap, ReviewChange, ReviewHunk, UnreadableRecord } from './record/v1.ts';
import {
  CHANGE_STATES,
  EVIDENCE_KINDS,
  FACETS,
  GAP_REASONS,
  IRREVERSIBLE_REASONS,
  OPERATIONS,
  RECORD_VERSION,
  SCOPES,
  STATUSES,
} from './record/v1.ts';

function fitting<T>(fault: (value: T) => string | null): z.core.CheckFn<T> {
  return (context) => {
    const message = fault(context.value);
    if (message !== null) context.issues.push({ code: 'custom', message, input: context.value });
  };
}

const matching = (pattern: RegExp) => z.string().check(z.regex(pattern));
const integerFrom = (least: number) => z.int().check(z.gte(least));

const name = matching(NAME);
const digest = matching(DIGEST);
const timestamp = matching(TIMESTAMP);
const runs = z.array(matching(RUN_ID));
const count = z.nullable(integerFrom(0));

const fileState = z.looseObject({
  digest,
  size: integerFrom(0),
  mode: integerFrom(0).check(z.lte(MAX_MODE)),
  kind: z.enum(['file', 'symlink']),
});

const change = z.looseObject({
  version: z.literal(RECORD_VERSION),
  id: matching(UUID),
  sessionId: name,
  messageId: name,
  callId: name,
  rootCallId: name,
  toolName: z.string(),
  agent: z.nullable(z.looseObject({ name: z.string(), sessionId: name })),
  forkedFrom: z.nullable(name),
  seq: integerFrom(1),
  round: z.looseObject({ id: name, ordinal: count }),
  moveId: z.nullable(name),
  createdAt: timestamp,
  root: matching(ROOT),
  path: matching(PATH),
  scope: z.enum(SCOPES),
  operation: z.enum(OPERATIONS),
  status: z.enum(STATUSES),
  failed: z.boolean(),
  before: z.nullable(fileState),
  after: z.nullable(fileState),
  additions: count,
  deletions: count,
  evidence: z.enum(EVIDENCE_KINDS),
  facets: z.array(z.enum(FACETS)),
  afterSource: z.enum(['written', 'observed']),
  coverage: z.enum(['complete', 'partial']),
  groupId: z.nullable(name),
  reversible: z.boolean(),
  irreversibleReason: z.nullable(z.enum(IRREVERSIBLE_REASONS)),
  state: z.enum(CHANGE_STATES),
  keptRuns: runs,
});

const hunk = z.looseObject({
  header: z.string(),
  oldStart: integerFrom(0),
  oldLines: integerFrom(0),
  newStart: integerFrom(0),
  newLines: integerFrom(0),
  lines: z.array(matching(HUNK_LINE)),
  runs,
});

const gap = z.looseObject({
  seq: integerFrom(1),
  sessionId: name,
  callId: name,
  messageId: z.nullable(name),
  toolName: z.nullable(z.string()),
  path: z.nullable(z.string()),
  operation: z.nullable(z.enum(OPERATIONS)),
  reason: z.enum(GAP_REASONS),
  detail: z.nullable(z.string()),
  createdAt: timestamp,
});

const unreadableRecord = z.looseObject({
  unreadable: z.enum(['damaged', 'newer']),
  id: z.nullable(z.string()),
  seq: z.nullable(integerFrom(1)),
  sessionId: name,
  reason: z.string(),
});

export const fileStateSchema: z.ZodMiniType<FileState> = mirrorOf<FileState>()(fileState);

/** A record of this version. Records of later versions are read by what they say of their readers: see the guard. */
export const reviewChangeSchema: z.ZodMiniType<ReviewChange> = mirrorOf<ReviewChange>()(
  change.check(fitting<ReviewChange>(changeFault)),
);

/** A hunk whose counts fit its lines. */
export const reviewHunkSchema: z.ZodMiniType<ReviewHunk> = mirrorOf<ReviewHunk>()(
  hunk.check(fitting<ReviewHunk>(hunkFault)),
);

export const gapSchema: z.ZodMiniType<Gap> = mirrorOf<Gap>()(gap);

export const unreadableRecordSchema: z.ZodMiniType<UnreadableRecord> =
  mirrorOf<UnreadableRecord>()(unreadableRecord);

export const outcomeSchema: z.ZodMiniType<Outcome> = mirrorOf<Outcome>()(
  z.looseObject({
    status: z.enum(OUTCOME_STATUSES),
    changes: z.array(reviewChangeSchema),
    reason: z.nullable(z.enum(OUTCOME_REASONS)),
    path: z.nullable(z.string()),
    message: z.string(),
    wrote: z.boolean(),
    rollbackId: z.nullable(z.string()),
    laterChange: z.nullable(z.string()),
    errno: z.nullable(z.string()),
  }),
);
