import type { MethodKey } from '../src/calls.ts';

/** Params that each method takes, and such that it refuses with −32602 before the service hears of them. */
export const CORPUS: Readonly<Record<MethodKey, { accepted: object[]; rejected: object[] }>> = {
  discover: { accepted: [{}], rejected: [{ sessionId: 's' }, { x: 1 }] },
  list: {
    accepted: [
      { sessionId: 's' },
      { sessionId: 's', limit: 1 },
      { sessionId: 's', limit: 1000, cursor: 'abc' },
      { sessionId: 'x'.repeat(512) },
      { sessionId: '\u0000\u2028\ud800' },
    ],
    rejected: [
      {},
      { sessionId: '' },
      { sessionId: 'x'.repeat(513) },
      { sessionId: 1 },
      { sessionId: null },
      { sessionId: ['s'] },
      { sessionId: 's', limit: 0 },
      { sessionId: 's', limit: 1001 },
      { sessionId: 's', limit: 1.5 },
      { sessionId: 's', limit: '1' },
      { sessionId: 's', cursor: '' },
      { sessionId: 's', cursor: 'x'.repeat(4097) },
      { sessionId: 's', cursor: null },
      { sessionId: 's', path: 'a' },
    ],
  },
  get: {
    accepted: [{ sessionId: 's', snapshotId: 'c1' }],
    rejected: [
      { sessionId: 's' },
      { snapshotId: 'c1' },
      { sessionId: 's', snapshotId: '' },
      { sessionId: 's', snapshotId: 'x'.repeat(129) },
      { sessionId: 's', snapshotId: 'c1', root: '/' },
    ],
  },
  context: {
    accepted: [1, 3, 5].map((lines) => ({ sessionId: 's', snapshotId: 'c1', lines })),
    rejected: [0, 2, 4, -1, 7, '3', null, 3.5].map((lines) => ({
      sessionId: 's',
      snapshotId: 'c1',
      lines,
    })),
  },
  rounds: {
    accepted: [{ sessionId: 's' }],
    rejected: [{}, { sessionId: {} }, { sessionId: 's', round: 'r' }],
  },
  keep: {
    accepted: [
      { sessionId: 's', snapshotIds: ['c1', 'c2'] },
      { sessionId: 's', snapshotIds: ['c1'], runs: ['0'.repeat(32)], requestId: 'q' },
    ],
    rejected: [
      { sessionId: 's', snapshotIds: [] },
      { sessionId: 's', snapshotIds: 'c1' },
      { sessionId: 's', snapshotIds: { 0: 'c1', length: 1 } },
      { sessionId: 's', snapshotIds: [1] },
      { sessionId: 's', snapshotIds: Array(1001).fill('c1') },
      { sessionId: 's', snapshotIds: ['c1'], runs: [] },
      { sessionId: 's', snapshotIds: ['c1'], runs: ['0'.repeat(65)] },
      { sessionId: 's', snapshotIds: ['c1'], requestId: '' },
      { sessionId: 's', snapshotIds: ['c1'], requestID: 'misspelt' },
      { sessionId: 's', snapshotId: 'c1' },
    ],
  },
  unkeep: {
    accepted: [{ sessionId: 's', snapshotIds: ['c1'] }],
    rejected: [
      { sessionId: 's' },
      { sessionId: 's', snapshotIds: [null] },
      { sessionId: 's', snapshotIds: ['c1'], force: true },
    ],
  },
  rollback: {
    accepted: [
      { sessionId: 's', snapshotId: 'c1' },
      { sessionId: 's', snapshotId: 'c1', requestId: 'x'.repeat(128) },
    ],
    rejected: [
      { sessionId: 's' },
      { sessionId: 's', snapshotIds: ['c1'] },
      { sessionId: 's', snapshotId: 'c1', path: '../secret' },
      { sessionId: 's', snapshotId: 'c1', force: true },
      { sessionId: 's', snapshotId: 'c1', requestId: 1 },
      { sessionId: 's', snapshotId: 'c1', requestId: 'x'.repeat(129) },
    ],
  },
};
