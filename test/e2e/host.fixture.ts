/** A whole host on real files in a folder of its own, and the means to open it again as a restart does. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CaptureRequest, ReviewPolicy, ReviewService } from '@backstitch/review-core';
import { createReviewService } from '@backstitch/review-core';
import { openFileReviewStore, openNodeWorkspace } from '@backstitch/review-fs-node';
import { openTranscript, type Transcript } from '@backstitch/review-transcript/node';

export const SESSION = 's';

export interface Folder {
  base: string;
  root: string;
  path(name: string): string;
  put(name: string, content: string | Uint8Array): void;
  text(name: string): string;
  /** Names of everything below the root, whatever was left behind included. */
  names(): string[];
  remove(): void;
}

export function makeFolder(files: Record<string, string | Uint8Array> = {}): Folder {
  const base = mkdtempSync(join(tmpdir(), 'backstitch-e2e-'));
  const root = join(base, 'work');
  mkdirSync(root);
  const path = (name: string): string => join(root, name);
  const folder: Folder = {
    base,
    root,
    path,
    put(name, content) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content);
    },
    text: (name) => readFileSync(path(name), 'utf8'),
    names: () => readdirSync(root, { recursive: true, encoding: 'utf8' }).sort(),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
  for (const [name, content] of Object.entries(files)) folder.put(name, content);
  return folder;
}

export interface OpenHost {
  service: ReviewService;
  transcript: Transcript;
  close(): Promise<void>;
}

export async function openHost(folder: Folder, policy: ReviewPolicy = {}): Promise<OpenHost> {
  const workspace = await openNodeWorkspace({ root: folder.root, lockDirectory: join(folder.base, 'locks') });
  const store = await openFileReviewStore({ directory: join(folder.base, 'store') });
  const transcript = await openTranscript({ path: join(folder.base, 'transcript.jsonl') });
  const service = createReviewService({ store, workspace, log: transcript.reviewLog(), policy });
  await service.ready();
  return {
    service,
    transcript,
    async close() {
      await service.close();
      await transcript.close();
      await store.close();
    },
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

export async function write(host: OpenHost, path: string, content: string | Uint8Array): Promise<string> {
  const { change } = await host.service.capture(request(path), (target) => target.write(content));
  return change!.id;
}

export async function undo(host: OpenHost, snapshotId: string) {
  return host.service.rollback({ sessionId: SESSION, snapshotId });
}
