export type { CallOptions, CancelSignal, ReviewCalls } from './calls.ts';
export type { ReviewClient } from './client.ts';
export { createReviewClient } from './client.ts';
export type { RpcErrorKind } from './error-codes.ts';
export { RPC_ERROR_CODES } from './error-codes.ts';
export type { DiscoverResult, MethodCapability, Role } from './method.ts';
export type { ContextParams } from './methods/context.ts';
export type { GetParams, GetResult } from './methods/get.ts';
export type { KeepParams } from './methods/keep.ts';
export type { ListParams } from './methods/list.ts';
export type { RollbackParams } from './methods/rollback.ts';
export type { RoundsParams } from './methods/rounds.ts';
export { PROTOCOL_REVISION } from './revision.ts';
export { ReviewRpcError } from './rpc-error.ts';
export type {
  AuthorizeRequest,
  ConnectOptions,
  ReviewServer,
  ReviewServerOptions,
  ServerConnection,
} from './server.ts';
export { createReviewServer, DEFAULT_MAX_MESSAGE_BYTES } from './server.ts';
export type { Transport, TransportStatus } from './transport.ts';
export { createMemoryTransportPair } from './transports/memory.ts';
export type { ReconnectOptions } from './transports/reconnecting.ts';
export { createReconnectingTransport } from './transports/reconnecting.ts';
export type { WebSocketLike } from './transports/web-socket.ts';
export { webSocketTransport } from './transports/web-socket.ts';
