import { randomUUID } from 'node:crypto';
import { appendFileSync, chmodSync } from 'node:fs';
import {
  type CaptureTarget,
  type Operation,
  type ReviewChange,
  reviewDetails,
} from '@backstitch/review-core';
import { type Host, SESSION_ID } from './host.ts';

/** What the script's agent does, as an agent's host would run it: each call is captured, then told to the transcript. */
export interface Call {
  tool: string;
  operation: Operation;
  path: string;
  run: (target: CaptureTarget) => Promise<void>;
}

const text = (bytes: Uint8Array | null): string => new TextDecoder().decode(bytes ?? new Uint8Array());

export function writeFile(path: string, content: string | Uint8Array): Call {
  return { tool: 'write', operation: 'write', path, run: (target) => target.write(content) };
}

/** Replaces one piece of text; fails, as the tools of real agents do, where it is not there. */
export function editFile(path: string, from: string, to: string): Call {
  return {
    tool: 'edit',
    operation: 'edit',
    path,
    async run(target) {
      const before = text(target.before());
      if (!before.includes(from)) throw new Error(`The text to replace was not found in ${path}.`);
      await target.write(before.replace(from, () => to));
    },
  };
}

export function deleteFile(path: string): Call {
  return { tool: 'delete', operation: 'delete', path, run: (target) => target.remove() };
}

/** A tool that writes by itself, as a shell command does: its result is read back from disk. */
export function appendByItself(path: string, line: string): Call {
  return {
    tool: 'shell',
    operation: 'shell',
    path,
    run: async (target) => appendFileSync(target.absolutePath, line),
  };
}

/** A tool that breaks after it wrote: the change is recorded, and marked as that of a failed call. */
export function breakAfterWriting(path: string, content: string): Call {
  return {
    tool: 'generate',
    operation: 'write',
    path,
    async run(target) {
      await target.write(content);
      throw new Error('The generator stopped in the middle.');
    },
  };
}

export function makeExecutable(path: string): Call {
  return {
    tool: 'chmod',
    operation: 'mode',
    path,
    run: async (target) => chmodSync(target.absolutePath, 0o755),
  };
}

/** Captures one call and appends its tool line. Answers the change, or null where nothing changed. */
export async function runCall(host: Host, call: Call, rootCallId?: string): Promise<ReviewChange | null> {
  const messageId = randomUUID();
  const callId = randomUUID();
  let error: string | null = null;
  await host.service
    .capture(
      {
        sessionId: SESSION_ID,
        messageId,
        callId,
        toolName: call.tool,
        operation: call.operation,
        path: call.path,
        ...(rootCallId === undefined ? {} : { rootCallId }),
      },
      call.run,
    )
    .catch((reason: unknown) => {
      // A tool's failure is a result that the agent sees, not the end of the session.
      error = reason instanceof Error ? reason.message : String(reason);
    });
  const change = await changeOf(host, callId);
  const details = change === null ? {} : { details: { review: reviewDetails(change.change, change.hunks) } };
  await host.transcript.append({
    type: 'tool',
    id: messageId,
    callId,
    tool: call.tool,
    path: call.path,
    error,
    ...details,
  });
  return change?.change ?? null;
}

async function changeOf(host: Host, callId: string) {
  const { items } = await host.service.list({ sessionId: SESSION_ID, limit: 1000 });
  const item = items.find((each) => 'callId' in each && each.callId === callId);
  if (item === undefined || item.id === null) return null;
  return host.service.get({ sessionId: SESSION_ID, snapshotId: item.id });
}

export async function say(host: Host, role: 'user' | 'assistant', content: string): Promise<void> {
  await host.transcript.append({ type: 'message', id: randomUUID(), role, content });
}
