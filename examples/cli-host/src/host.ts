import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { createReviewService, type ReviewService } from '@backstitch/review-core';
import { openFileReviewStore, openNodeWorkspace } from '@backstitch/review-fs-node';
import { openTranscript, type Transcript } from '@backstitch/review-transcript/node';
import { type Args, UsageError } from './args.ts';

export interface Host {
  service: ReviewService;
  transcript: Transcript;
  sessionId: string;
  close(): Promise<void>;
}

/** The whole wiring: workspace, store, transcript, service. */
export async function openHost(args: Pick<Args, 'workspace' | 'state' | 'session'>): Promise<Host> {
  const root = resolve(args.workspace);
  if (!existsSync(root) || !statSync(root).isDirectory()) {
    throw new UsageError(`'${root}' is no folder. Give --workspace a folder that exists.`);
  }
  const state = args.state === null ? stateOf(root) : resolve(args.state);
  mkdirSync(state, { recursive: true, mode: 0o700 });

  // Where the records were placed by hand the locks lie beside them, as web-host does: both take the same ones.
  const locks = args.state === null ? {} : { lockDirectory: join(state, 'locks') };
  const workspace = await openNodeWorkspace({ root, ...locks });
  const store = await openFileReviewStore({ directory: join(state, 'store'), owner: 'cli-host' });
  const transcript = await openTranscript({ path: join(state, 'transcript.jsonl') });
  const log = transcript.reviewLog();
  const service = createReviewService({
    store,
    workspace,
    log: (sessionId) => (sessionId === args.session ? log : null),
    policy: {
      onWarning: (message, error) => process.stderr.write(`cli-host: ${message} ${String(error)}\n`),
    },
  });
  return {
    service,
    transcript,
    sessionId: args.session,
    async close() {
      await service.close();
      await transcript.close();
      await store.close();
    },
  };
}

/** One folder of records for each workspace; web-host finds the same one. */
function stateOf(workspace: string): string {
  const name = createHash('sha256').update(realpathSync(workspace)).digest('hex').slice(0, 16);
  return join(homedir(), '.backstitch', 'hosts', name);
}
