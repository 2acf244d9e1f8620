import {
  type CapabilityKey,
  DEFAULT_LIMITS,
  type Outcome,
  type ReviewChange,
  ReviewError,
  type ReviewEvent,
  type ReviewService,
} from '@backstitch/review-core';

/** A service over an array, whose verbs can be held open or made to fail: what the protocol has to survive. */
export interface FakeService extends ReviewService {
  /** Every verb that was called, with what it was given. */
  readonly calls: { verb: string; params: unknown }[];
  readonly listeners: Set<(event: ReviewEvent) => void>;
  emit(event: ReviewEvent): void;
  /** Calls of `verb` wait until the returned function is called. */
  hold(verb: string): () => void;
  /** The next call of `verb` ends with this: thrown where it is an Error, else the result. */
  answer(verb: string, with_: unknown): void;
}

const CAPABILITIES = { hardLinks: { level: 'full' } } satisfies Partial<
  Record<CapabilityKey, { level: 'full' }>
>;

export function createFakeService(): FakeService {
  const changes = [changeOf('c1', 1), changeOf('c2', 2)];
  const calls: FakeService['calls'] = [];
  const listeners: FakeService['listeners'] = new Set();
  const holds = new Map<string, Promise<void>>();
  const answers = new Map<string, unknown>();
  const emit = (event: ReviewEvent): void => {
    for (const listener of [...listeners]) listener(event);
  };

  async function did(verb: string, params: unknown, result: () => unknown): Promise<never> {
    calls.push({ verb, params });
    await holds.get(verb);
    if (!answers.has(verb)) return result() as never;
    const answer = answers.get(verb);
    answers.delete(verb);
    if (answer instanceof Error) throw answer;
    return answer as never;
  }

  function find(sessionId: string, id: string): ReviewChange {
    const found = changes.find((change) => change.sessionId === sessionId && change.id === id);
    if (found === undefined)
      throw new ReviewError('unknownRecord', `There is no change ${id} in the session ${sessionId}.`);
    return found;
  }

  function mark(status: 'kept' | 'unkept', sessionId: string, ids: readonly string[]): Outcome {
    const marked = ids.map((id) => find(sessionId, id));
    for (const change of marked) change.state = status === 'kept' ? 'kept' : 'active';
    emit({ sessionId, revision: 'r1', snapshotIds: [...ids] });
    return outcome(status, marked);
  }

  const unused = (verb: string) => () => Promise.reject(new Error(`${verb} is not served over the wire`));

  return {
    capabilities: CAPABILITIES,
    limits: DEFAULT_LIMITS,
    calls,
    listeners,
    emit,
    hold(verb) {
      let release = (): void => {};
      holds.set(verb, new Promise((resolve) => (release = resolve)));
      return () => release();
    },
    answer: (verb, with_) => void answers.set(verb, with_),
    ready: () => Promise.resolve(),
    list: (p) =>
      did('list', p, () => ({
        items: changes.filter(({ sessionId }) => sessionId === p.sessionId),
        nextCursor: null,
        gaps: { total: 0, items: [] },
      })),
    get: (p) => did('get', p, () => ({ change: find(p.sessionId, p.snapshotId), hunks: [] })),
    context: (p) =>
      did('context', p, () => ({ hunks: find(p.sessionId, p.snapshotId).keptRuns.map(() => []) })),
    rounds: (p) => did('rounds', p, () => ({ rounds: [], latest: null })),
    keep: (p) => did('keep', p, () => mark('kept', p.sessionId, p.snapshotIds)),
    unkeep: (p) => did('unkeep', p, () => mark('unkept', p.sessionId, p.snapshotIds)),
    rollback: (p) => did('rollback', p, () => outcome('rolledBack', [find(p.sessionId, p.snapshotId)])),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => Promise.resolve(),
    startRound: unused('startRound'),
    capture: unused('capture'),
    begin: unused('begin'),
    finish: unused('finish'),
    abandon: unused('abandon'),
    sessions: unused('sessions'),
    recover: unused('recover'),
  };
}

function outcome(status: Outcome['status'], changes: ReviewChange[]): Outcome {
  const message = `${status}.`;
  const none = { reason: null, path: null, rollbackId: null, laterChange: null, errno: null };
  return { ...none, status, changes, message, wrote: status === 'rolledBack' };
}

function changeOf(id: string, seq: number): ReviewChange {
  const call = `call-${seq}`;
  return {
    ...{
      version: 1,
      id,
      sessionId: 's',
      messageId: `m-${seq}`,
      callId: call,
      rootCallId: call,
      toolName: 'write',
    },
    ...{ agent: null, forkedFrom: null, seq, round: { id: 'r', ordinal: 1 }, moveId: null },
    ...{ createdAt: '2026-01-01T00:00:00.000Z', root: '/project', path: `src/${id}.ts`, scope: 'workspace' },
    ...{ operation: 'write', status: 'added', failed: false, before: null, after: null, additions: 1 },
    ...{ deletions: 0, evidence: 'text', facets: ['content'], afterSource: 'written', coverage: 'complete' },
    ...{ groupId: null, reversible: true, irreversibleReason: null, state: 'active', keptRuns: [] },
  } as ReviewChange;
}
