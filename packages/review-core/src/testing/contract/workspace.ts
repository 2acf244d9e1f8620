/**
 * The contract of the workspace port: what `ports/workspace.ts` promises, as tests.
 *
 * `setup` gives a fresh workspace and the hands of a foreign program on its files. Where the adapter lets a
 * test come between the steps of a publish, say `steps: true` and give `onStep`: then the tests of foreign
 * writes in the middle of a publish are run too.
 *
 * @since 0.1.0
 */
import type { Workspace } from '../../ports/workspace.ts';
import type { EntryKind } from '../../record/v1.ts';
import type { Contract } from './runner.ts';
import { locateTests } from './workspace-locate.ts';
import { lockTests } from './workspace-locks.ts';
import { settleTests } from './workspace-settle.ts';
import { stepTests } from './workspace-steps.ts';
import { writeTests } from './workspace-writes.ts';

/** Between which steps of a publish: see `ports/workspace.ts`, and the order in `MEMORY_STEPS`. */
export type ContractStep = 'beforeLink' | 'beforeRename' | 'afterRename';

/** Paths are relative to the root. */
export interface WorkspaceSetup {
  workspace: Workspace;
  /** Another process's handle on the same files. */
  peer(): Promise<Workspace>;
  /** Another file of this content takes the name; missing parents are made. */
  put(path: string, bytes: Uint8Array, mode?: number): Promise<void>;
  /** Writes into the file that stands there. */
  overwrite(path: string, bytes: Uint8Array): Promise<void>;
  putLink(path: string, target: string): Promise<void>;
  putDirectory(path: string): Promise<void>;
  /** `path` gets a second name. */
  hardLink(path: string, to: string): Promise<void>;
  get(path: string): Promise<{ kind: EntryKind | 'directory'; bytes: Uint8Array; mode: number } | null>;
  /** The file, or the directory with all below it. */
  remove(path: string): Promise<void>;
  /** All that is no directory, sorted by code unit. */
  list(): Promise<string[]>;
  /** Calls `fn` once, when `workspace` reaches the step. */
  onStep?(step: ContractStep, fn: () => Promise<void>): void;
  cleanup(): Promise<void>;
}

export interface WorkspaceContract extends Contract<WorkspaceSetup> {
  steps?: boolean;
}

/** @since 0.1.0 */
export function workspaceContract(contract: WorkspaceContract): void {
  contract.describe('workspace contract', () => {
    locateTests(contract);
    lockTests(contract);
    writeTests(contract);
    if (contract.steps === true) stepTests(contract);
    settleTests(contract);
  });
}
