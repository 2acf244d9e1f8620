export type { ServeWebSocketOptions, WebSocketEndpoint } from './serve-web-socket.ts';
export { serveWebSocket } from './serve-web-socket.ts';
