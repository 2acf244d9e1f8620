/**
 * The wire's error codes, by kind. An error answers a bad call; what can lawfully happen to a good one is a
 * result (`Outcome`). Codes are forever: one may be added, none is renumbered. `data.kind` is what to branch
 * on; several kinds share a code where JSON-RPC has one for them.
 *
 * @since 0.1.0
 */
export const RPC_ERROR_CODES = {
  // JSON-RPC's own
  parseError: -32700,
  invalidRequest: -32600,
  messageTooLarge: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  cancelled: -32800,
  // of a `ReviewError`, by its code: all there are, which `connection.ts` makes the compiler check
  invalidArgument: -32602,
  // Never answered by this server: it would tell that the session exists. `unknownRecord` stands for both.
  notYourSession: 1001,
  unknownRecord: 1002,
  storeDamaged: 1003,
  cursorExpired: 1004,
  notAllowed: 1005,
  requestReused: 1006,
  pathRefused: 1007,
  busy: 1008,
  lockLost: 1009,
  storeReadOnly: 1010,
  storeFailed: 1011,
  fileFailed: 1012,
  changedSinceRead: 1013,
  unsupportedKind: 1014,
  captureFailed: 1015,
  unknownCall: 1016,
  callReused: 1017,
  storePlacement: 1018,
  closed: 1019,
  // of the connection
  tooManyCalls: 1101,
  // Made by the client, never on the wire.
  disconnected: 1102,
} as const;

export type RpcErrorKind = keyof typeof RPC_ERROR_CODES;
