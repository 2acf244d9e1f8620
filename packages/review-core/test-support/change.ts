import { createHash } from 'node:crypto';
import type { FileState, ReviewChange } from '../src/record/v1.ts';

export function stateOf(bytes: Uint8Array, mode = 0o644, kind: FileState['kind'] = 'file'): FileState {
  return { digest: createHash('sha256').update(bytes).digest('hex'), size: bytes.length, mode, kind };
}

/** A lawful record, of an edit of `src/a.ts` where nothing else is said. */
export function changeWith(members: Partial<ReviewChange> = {}): ReviewChange {
  const { before, after } = members;
  return {
    version: 1,
    id: '00000000-0000-4000-8000-000000000001',
    sessionId: 's',
    messageId: 'm1',
    callId: 'c1',
    rootCallId: 'c1',
    toolName: 'edit',
    agent: null,
    forkedFrom: null,
    seq: 1,
    round: { id: 'r1', ordinal: 1 },
    moveId: null,
    createdAt: '2026-01-02T03:04:05.678Z',
    root: '/project',
    path: 'src/a.ts',
    scope: 'workspace',
    operation: 'edit',
    status: before === null ? 'added' : after === null ? 'deleted' : 'modified',
    failed: false,
    before: stateOf(new Uint8Array([1])),
    after: stateOf(new Uint8Array([2])),
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
    ...members,
  };
}
