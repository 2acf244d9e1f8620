import fs from 'node:fs';
import path from 'node:path';
import type { WorkspaceSetup } from '@backstitch/review-core/testing';
import { workspaceContract } from '@backstitch/review-core/testing';
import { describe, it } from 'vitest';
import { hookable, makeSandbox, type Sandbox, systems } from './sandbox.fixture.ts';
import { detectSystem, type System } from './system.ts';

for (const [name, system] of systems()) {
  describe(name, () => {
    // Its steps are those of a publish by links; the other way has tests of its own.
    workspaceContract({ describe, it, steps: !system.calls, setup: () => setup(system) });
  });
}

/** The hands of a foreign program, in synchronous calls: it acts between two calls of ours. */
async function setup(system: Partial<System>): Promise<WorkspaceSetup> {
  const box = makeSandbox();
  const at = (name: string) => path.join(box.root, name);
  const { calls, on } = hookable(system.calls ?? detectSystem().calls);
  return {
    workspace: await box.open({ ...system, calls }),
    peer: () => box.open(system),
    put: async (name, bytes, mode = 0o644) => {
      fs.mkdirSync(path.dirname(at(name)), { recursive: true });
      fs.writeFileSync(at('.foreign'), bytes);
      fs.chmodSync(at('.foreign'), mode);
      fs.renameSync(at('.foreign'), at(name));
    },
    overwrite: async (name, bytes) => fs.writeFileSync(at(name), bytes),
    putLink: async (name, target) => fs.symlinkSync(target, at(name)),
    putDirectory: async (name) => {
      fs.mkdirSync(at(name), { recursive: true });
    },
    hardLink: async (name, to) => fs.linkSync(at(name), at(to)),
    get: async (name) => entryAt(at(name)),
    remove: async (name) => fs.rmSync(at(name), { recursive: true, force: true }),
    list: async () => filesOf(box),
    onStep: (step, fn) => {
      // The call that stands right before the step, or right behind it: see `publish.ts`.
      if (step === 'beforeLink') on('before', ['link', 'rename'], fn);
      else if (step === 'beforeRename') on('after', ['link'], fn);
      else on('after', ['rename'], fn);
    },
    cleanup: async () => {},
  };
}

function entryAt(file: string): Awaited<ReturnType<WorkspaceSetup['get']>> {
  const stats = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!stats) return null;
  const mode = stats.mode & 0o7777;
  if (stats.isDirectory()) return { kind: 'directory', bytes: new Uint8Array(), mode };
  if (stats.isSymbolicLink())
    return { kind: 'symlink', bytes: fs.readlinkSync(file, { encoding: 'buffer' }), mode };
  return { kind: 'file', bytes: fs.readFileSync(file), mode };
}

function filesOf(box: Sandbox): string[] {
  return box.names().filter((name) => !fs.lstatSync(path.join(box.root, name)).isDirectory());
}
