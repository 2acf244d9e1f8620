import type { ReviewChange, ReviewHunk } from '@backstitch/review-core';
import { previewChange } from '@backstitch/review-core';

/** A record with everything in place; a test says what matters to it. */
export function sampleChange(part: Partial<ReviewChange> = {}): ReviewChange {
  const seq = part.seq ?? 1;
  return {
    version: 1,
    id: `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`,
    sessionId: 's1',
    messageId: `m${seq}`,
    callId: `c${seq}`,
    rootCallId: `c${seq}`,
    toolName: 'edit_file',
    agent: null,
    forkedFrom: null,
    seq,
    round: { id: 'r1', ordinal: 1 },
    moveId: null,
    createdAt: '2026-03-04T05:06:07.000Z',
    root: '/project',
    path: `src/file-${seq}.ts`,
    scope: 'workspace',
    operation: 'edit',
    status: 'modified',
    failed: false,
    before: { digest: 'a'.repeat(64), size: 10, mode: 0o644, kind: 'file' },
    after: { digest: 'b'.repeat(64), size: 12, mode: 0o644, kind: 'file' },
    additions: 1,
    deletions: 1,
    evidence: 'text',
    facets: ['content'],
    afterSource: 'written',
    coverage: 'complete',
    groupId: null,
    reversible: true,
    irreversibleReason: null,
    state: 'active',
    keptRuns: [],
    ...part,
  };
}

/** Hunks as they are stored, from two texts. */
export function hunksOf(before: string | Uint8Array | null, after: string | Uint8Array | null): ReviewHunk[] {
  return previewChange(bytes(before), bytes(after)).hunks;
}

function bytes(text: string | Uint8Array | null): Uint8Array | null {
  return typeof text === 'string' ? new TextEncoder().encode(text) : text;
}
