import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Args } from './args.ts';

/** Where everything lies. The records are never inside the workspace. */
export interface Places {
  workspace: string;
  /** A folder outside the workspace whose files the host approved to be recorded, never to be written back. */
  external: string | null;
  store: string;
  transcript: string;
  /** Null: the default of the workspace package. Beside the records where those were placed by hand; as cli-host does. */
  locks: string | null;
  state: string;
  /** The sample project, just copied: the scripted session has not run yet. */
  fresh: boolean;
}

export function choosePlaces(args: Args): Places {
  return args.workspace === null ? samplePlaces(args.state) : userPlaces(args.workspace, args.state);
}

function samplePlaces(given: string | null): Places {
  const state = given === null ? mkdtempSync(join(tmpdir(), 'backstitch-')) : resolve(given);
  const workspace = join(state, 'workspace');
  const external = join(state, 'external');
  const fresh = !existsSync(workspace);
  if (fresh) {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    cpSync(fileURLToPath(new URL('../sample', import.meta.url)), workspace, { recursive: true });
    mkdirSync(external, { recursive: true });
  }
  return { ...records(state), workspace, external, locks: join(state, 'locks'), fresh };
}

function userPlaces(folder: string, given: string | null): Places {
  const workspace = resolve(folder);
  if (!existsSync(workspace) || !statSync(workspace).isDirectory()) {
    throw new Error(`'${workspace}' is no folder. Give --workspace a folder that exists.`);
  }
  const state = given === null ? stateOf(workspace) : resolve(given);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  return {
    ...records(state),
    workspace,
    external: null,
    locks: given === null ? null : join(state, 'locks'),
    fresh: false,
  };
}

/** One folder of records for each workspace; cli-host finds the same one. */
function stateOf(workspace: string): string {
  const name = createHash('sha256').update(realpathSync(workspace)).digest('hex').slice(0, 16);
  return join(homedir(), '.backstitch', 'hosts', name);
}

function records(state: string): Pick<Places, 'state' | 'store' | 'transcript'> {
  return { state, store: join(state, 'store'), transcript: join(state, 'transcript.jsonl') };
}
