import type { Capabilities, PreviewLimits, ReviewService } from '@backstitch/review-core';
import type { z } from 'zod';
import type { MethodName } from './calls.ts';

/**
 * What one file under `methods/` says of its method. `registry.ts` lists them; the client, the server, the
 * types and the schemas come from that list.
 *
 * The schemas are functions of `fields.ts`, which alone loads zod: so the client can share this list and
 * still be a few kilobytes without zod.
 */
export interface ReviewMethod<Params, Result> {
  /** `review.` and the name that the registry exports it by, which is how the client calls it. */
  readonly name: MethodName;
  /** The package version that brought it. */
  readonly since: string;
  /** What a connection must be allowed to do; see `ROLES`. */
  readonly capability: MethodCapability;
  /** Strict: an unknown member is refused, since it may be a misspelt guard. */
  params(fields: Fields): z.ZodType<Checked<Params>>;
  /** Loose: what a reader may count on. */
  result(fields: Fields): z.ZodType;
  run(host: MethodHost, params: Params): Promise<Result>;
}

/** `read` writes nothing. `review` changes review state, or the workspace back to recorded bytes. */
export type MethodCapability = 'read' | 'review';

/**
 * What a connection may do. The host gives it when it connects a transport; no message can change it.
 * `main`: everything. `viewer`: look only.
 *
 * @since 0.1.0
 */
export type Role = 'main' | 'viewer';

export const ROLES: Readonly<Record<Role, readonly MethodCapability[]>> = Object.freeze({
  main: ['read', 'review'],
  viewer: ['read'],
});

/** What a method may use. */
export interface MethodHost {
  readonly service: ReviewService;
  readonly role: Role;
  readonly maxMessageBytes: number;
  /** The methods that this connection is served. */
  readonly methods: readonly string[];
}

/** @since 0.1.0 */
export interface DiscoverResult {
  /** The protocol revision that the host speaks; see `PROTOCOL_REVISION`. */
  protocol: number;
  /** The methods that this connection is served, so that nobody offers what would be refused. */
  methods: string[];
  /** What the host and its file system can promise. */
  capabilities: Capabilities;
  /** The bounds of the evidence, and of one message to the host in bytes of UTF-8. */
  limits: PreviewLimits & { maxMessageBytes: number };
  role: Role;
}

export type Fields = typeof import('./fields.ts');

/** `Params` as zod infers it: an optional member may also be there and undefined. JSON has no such member. */
type Checked<Params> = { [Key in keyof Params]: Params[Key] | undefined };
