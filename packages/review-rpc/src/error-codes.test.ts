import { readFileSync } from 'node:fs';
import { ERROR_CODES } from '@backstitch/review-core';
import { expect, it } from 'vitest';
import { RPC_ERROR_CODES } from './error-codes.ts';

it('the codes are forever', () => {
  expect(RPC_ERROR_CODES).toEqual({
    ...{ parseError: -32700, invalidRequest: -32600, messageTooLarge: -32600, methodNotFound: -32601 },
    ...{ invalidParams: -32602, invalidArgument: -32602, internal: -32603, cancelled: -32800 },
    ...{ notYourSession: 1001, unknownRecord: 1002, storeDamaged: 1003, cursorExpired: 1004 },
    ...{ notAllowed: 1005, requestReused: 1006, pathRefused: 1007, busy: 1008, lockLost: 1009 },
    ...{ storeReadOnly: 1010, storeFailed: 1011, fileFailed: 1012, changedSinceRead: 1013 },
    ...{ unsupportedKind: 1014, captureFailed: 1015, unknownCall: 1016, callReused: 1017 },
    ...{ storePlacement: 1018, closed: 1019, tooManyCalls: 1101, disconnected: 1102 },
  });
});

it("every ReviewError has its number, and no two share one beside JSON-RPC's own", () => {
  for (const code of ERROR_CODES) expect(RPC_ERROR_CODES).toHaveProperty(code);
  const own = Object.values(RPC_ERROR_CODES).filter((code) => code > 0);
  expect(new Set(own).size).toBe(own.length);
});

it('the README explains each of them', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  for (const [kind, code] of Object.entries(RPC_ERROR_CODES)) {
    expect(readme).toMatch(
      new RegExp(`^\\| ${String(code).replace('-', '−')} \\| \`${kind}\` \\| .{20,} \\|$`, 'm'),
    );
  }
});
