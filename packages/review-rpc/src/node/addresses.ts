import type { Server } from 'node:http';
import { ReviewError } from '@backstitch/review-core';

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

export interface Addresses {
  hosts: ReadonlySet<string>;
  origins: ReadonlySet<string>;
  port: number;
  /** Where a client of this machine finds the server. */
  url: string;
}

/** What the server's own address makes lawful, and what the host adds. */
export function addressesOf(
  server: Server,
  options: { path: string; allowedHosts: readonly string[]; allowedOrigins: readonly string[] },
): Addresses {
  const { address, port } = boundTo(server);
  const own = LOOPBACK_NAMES.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
  const hosts = [...own, ...options.allowedHosts].map((host) => host.toLowerCase());
  const origins = [
    ...hosts.flatMap((host) => [`http://${host}`, `https://${host}`]),
    ...options.allowedOrigins,
  ];
  return {
    hosts: new Set(hosts),
    origins: new Set(origins.map((origin) => origin.toLowerCase())),
    port,
    url: `ws://${urlHost(address)}:${port}${options.path}`,
  };
}

function boundTo(server: Server): { address: string; port: number } {
  const bound = server.address();
  if (bound === null || typeof bound === 'string') {
    throw new ReviewError(
      'invalidArgument',
      'serveWebSocket: the HTTP server must listen on a port, not on a pipe.',
    );
  }
  return bound;
}

/** Refuses a server that other machines reach, unless the host named that very address. */
export function refuseUnaskedExposure(server: Server, asked: string | undefined): void {
  const { address } = boundTo(server);
  if (isLoopback(address) || address === asked) return;
  throw new ReviewError(
    'invalidArgument',
    `serveWebSocket: the HTTP server listens on ${address}, where other machines reach it. Let it listen on 127.0.0.1, or pass host: '${address}' to say that it is meant.`,
  );
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}

function urlHost(address: string): string {
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1';
  return address.includes(':') ? `[${address}]` : address;
}
