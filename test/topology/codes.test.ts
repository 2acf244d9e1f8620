import { DURABLE_ERROR_CODES } from '@backstitch/durable-node';
import * as core from '@backstitch/review-core';
import { RPC_ERROR_CODES } from '@backstitch/review-rpc';
import { describe, expect, it } from 'vitest';

// Codes and the words of the record are forever: they are stored on disk, sent over the wire and compared by callers.
const WORDS: readonly (readonly [string, readonly string[]])[] = [
  [
    'ERROR_CODES',
    [
      ...['invalidArgument', 'pathRefused', 'unknownRecord', 'unknownCall', 'requestReused', 'callReused'],
      ...['changedSinceRead', 'captureFailed', 'unsupportedKind', 'busy', 'lockLost', 'storePlacement'],
      ...[
        'storeDamaged',
        'storeReadOnly',
        'storeFailed',
        'fileFailed',
        'cursorExpired',
        'notAllowed',
        'closed',
      ],
    ],
  ],
  [
    'OUTCOME_STATUSES',
    [
      ...['kept', 'unkept', 'alreadyKept', 'rolledBack', 'alreadyRolledBack', 'alreadyAtBefore', 'redone'],
      ...['nothingToUndo', 'conflict', 'unavailable', 'stale', 'busy', 'failed', 'uncertain'],
    ],
  ],
  [
    'OUTCOME_REASONS',
    [
      ...['changedOnDisk', 'deleted', 'replacedKind', 'laterChange', 'rootChanged', 'foreignWrite'],
      ...[
        'outsideWorkspace',
        'tooLarge',
        'sensitive',
        'fork',
        'interrupted',
        'hardLinked',
        'missingSnapshot',
      ],
      ...['unsupportedKind', 'denied', 'overlap', 'pending', 'needsAttention', 'aborted', 'readOnlySession'],
      ...['locked', 'openCall', 'io', 'recordNotWritten'],
    ],
  ],
  ['SCOPES', ['workspace', 'scratch', 'external']],
  ['OPERATIONS', ['write', 'edit', 'create', 'delete', 'move', 'mode', 'shell', 'restore']],
  ['STATUSES', ['added', 'modified', 'deleted']],
  [
    'CHANGE_STATES',
    ['pending', 'active', 'kept', 'undoing', 'rolledBack', 'interrupted', 'aborted', 'needsAttention'],
  ],
  ['EVIDENCE_KINDS', ['text', 'binary', 'tooLarge', 'tooDifferent', 'sensitive', 'unavailable']],
  ['FACETS', ['content', 'lineEndings', 'bom', 'finalNewline', 'mode', 'kind']],
  [
    'IRREVERSIBLE_REASONS',
    [
      ...[
        'outsideWorkspace',
        'tooLarge',
        'sensitive',
        'fork',
        'interrupted',
        'hardLinked',
        'missingSnapshot',
      ],
      ...['unsupportedKind', 'denied', 'overlap'],
    ],
  ],
  ['GAP_REASONS', ['sensitive', 'captureFailed', 'unsupportedKind', 'refused', 'notCovered']],
  [
    'CAPABILITY_KEYS',
    ['handleWalk', 'dirFsync', 'hardLinks', 'ownerProof', 'modes', 'caseSensitive', 'watch', 'afterBytes'],
  ],
  [
    'REFUSALS',
    [
      ...['outsideRoot', 'rootItself', 'link', 'notADirectory', 'reservedName', 'nameTooLong', 'notUtf8'],
      ...['denied', 'rootMissing', 'rootChanged', 'invalidName'],
    ],
  ],
  ['UNSUPPORTED_KINDS', ['directory', 'fifo', 'socket', 'device', 'unreadable', 'changing', 'unknown']],
];

const exported: Readonly<Record<string, unknown>> = core;

describe('the closed words of review-core', () => {
  it.each(WORDS)('%s', (name, words) => {
    expect([...(exported[name] as readonly string[])].sort()).toEqual([...words].sort());
  });

  it('the record version', () => {
    expect(core.RECORD_VERSION).toBe(1);
  });

  it('an error is known by its brand, also across two copies of the package', () => {
    const brand = Symbol.for('@backstitch/ReviewError');
    expect(core.ReviewError.isInstance(new core.ReviewError('closed', 'x'))).toBe(true);
    expect(core.ReviewError.isInstance(Object.assign(new Error('x'), { [brand]: true }))).toBe(true);
    expect(core.ReviewError.isInstance(Object.assign(new Error('x'), { name: 'ReviewError' }))).toBe(false);
  });
});

it('the codes of durable-node', () => {
  expect([...DURABLE_ERROR_CODES].sort()).toEqual([
    ...['closed', 'invalidArgument', 'ioFailed', 'notAFile', 'replaced', 'sealed', 'tooLong', 'uncertain'],
  ]);
});

it('the numbers of the wire', () => {
  expect(RPC_ERROR_CODES).toEqual({
    ...{ parseError: -32700, invalidRequest: -32600, messageTooLarge: -32600, methodNotFound: -32601 },
    ...{ invalidParams: -32602, internal: -32603, cancelled: -32800, invalidArgument: -32602 },
    ...{
      notYourSession: 1001,
      unknownRecord: 1002,
      storeDamaged: 1003,
      cursorExpired: 1004,
      notAllowed: 1005,
    },
    ...{ requestReused: 1006, pathRefused: 1007, busy: 1008, lockLost: 1009, storeReadOnly: 1010 },
    ...{ storeFailed: 1011, fileFailed: 1012, changedSinceRead: 1013, unsupportedKind: 1014 },
    ...{ captureFailed: 1015, unknownCall: 1016, callReused: 1017, storePlacement: 1018, closed: 1019 },
    ...{ tooManyCalls: 1101, disconnected: 1102 },
  });
});
