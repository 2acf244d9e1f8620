/** A service over the memory ports, and the means to act as the next process on the same state. */
import type { MemoryLog } from '../testing/memory-log.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { createMemoryProcess } from '../testing/memory-process.ts';
import type { MemoryStore } from '../testing/memory-store.ts';
import { createMemoryStore } from '../testing/memory-store.ts';
import type { MemoryWorkspace } from '../testing/memory-workspace.ts';
import { createMemoryWorkspace } from '../testing/memory-workspace.ts';
import { createReviewService } from './index.ts';
import type { CaptureRequest, CaptureTarget, ReviewPolicy, ReviewService } from './types.ts';

export const SESSION = 's';

export interface Scene {
  service: ReviewService;
  store: MemoryStore;
  workspace: MemoryWorkspace;
  log: MemoryLog;
  warnings: string[];
  /** Another process on the same store and tree. */
  next(policy?: ReviewPolicy): Scene;
  /** This process is gone, without a word. */
  kill(): void;
}

export function scene(files: Record<string, string | Uint8Array> = {}, policy: ReviewPolicy = {}): Scene {
  const process = createMemoryProcess({ app: 'test' });
  const store = createMemoryStore({ process, busyTimeoutMs: 50 });
  const workspace = createMemoryWorkspace({ files, process, externalRoots: ['/external'] });
  return build(store, workspace, createMemoryLog(), policy);
}

function build(store: MemoryStore, workspace: MemoryWorkspace, log: MemoryLog, policy: ReviewPolicy): Scene {
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const service = createReviewService({ store, workspace, log, policy: { onWarning, ...policy } });
  return {
    service,
    store,
    workspace,
    log,
    warnings,
    next: (nextPolicy = policy) => {
      const process = createMemoryProcess({ app: 'test' });
      return build(store.peer({ process }), workspace.peer({ process }), log, nextPolicy);
    },
    kill: () => store.kill(),
  };
}

let calls = 0;

export function request(path: string, more: Partial<CaptureRequest> = {}): CaptureRequest {
  const callId = more.callId ?? `call-${++calls}`;
  return {
    sessionId: SESSION,
    messageId: `m-${callId}`,
    callId,
    toolName: 'write',
    operation: 'write',
    path,
    ...more,
  };
}

/** Captures a write through the target and answers the change's id. */
export async function write(
  on: Scene,
  path: string,
  text: string,
  more: Partial<CaptureRequest> = {},
): Promise<string> {
  const { change } = await on.service.capture(request(path, more), (target: CaptureTarget) =>
    target.write(text),
  );
  return change!.id;
}

export async function stateOf(on: Scene, snapshotId: string): Promise<string> {
  return (await on.service.get({ sessionId: SESSION, snapshotId })).change.state;
}
