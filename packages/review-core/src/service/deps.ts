/** What the verbs share: the ports, the host's decisions, and the sessions that this service holds open. */

import type { PreviewLimits } from '../limits.ts';
import type { Environment } from '../ports/environment.ts';
import type { ReviewLog } from '../ports/log.ts';
import type { ReviewStore } from '../ports/store.ts';
import type { Workspace } from '../ports/workspace.ts';
import type { ReviewChange } from '../record/v1.ts';
import type { Session } from './session.ts';

export interface Policy {
  /** True also where the host's callback threw: on a doubt nothing is stored. */
  isSensitive(path: string): Promise<boolean>;
  /** False also where the host's callback threw. */
  mayWrite(sessionId: string, path: string, change: ReviewChange | null): Promise<boolean>;
  onCaptureFailure: 'block' | 'warn' | 'skip';
  warn(message: string, error: unknown): void;
}

export interface Deps {
  readonly store: ReviewStore;
  readonly environment: Environment;
  readonly policy: Policy;
  readonly limits: PreviewLimits;
  workspaceOf(sessionId: string): Workspace;
  logOf(sessionId: string): ReviewLog | null;
  /** Null where there is no such session. Recovered before it is handed out. */
  session(id: string): Promise<Session | null>;
  /** Makes the session where there is none. */
  openSession(id: string): Promise<Session>;
  /** Ids of the captures that this process has under way: not to be taken for dead. */
  readonly active: Set<string>;
}
