import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { FileIntent, Next, Workspace } from '@backstitch/review-core';
import { isBusy, isRefused } from '@backstitch/review-core';
import { fileOf, linkTo, makeSandbox, type Sandbox } from './sandbox.fixture.ts';
import type { Calls, System } from './system.ts';

/** What stands at a name, as one comparable line. */
export type Standing = string;

export interface Operation {
  name: string;
  path: string;
  prepare(box: Sandbox): void;
  next: Next;
  from: Standing;
  to: Standing;
  /** All names before, and after. */
  namesBefore: string[];
  namesAfter: string[];
}

const ABSENT: Standing = 'absent';

/** Every way to publish. */
export const OPERATIONS: Operation[] = [
  {
    name: 'replace',
    path: 'd/a.sh',
    prepare: (box) => box.put('d/a.sh', 'old', 0o755),
    next: fileOf('new'),
    from: 'file 755 old',
    to: 'file 755 new',
    namesBefore: ['d', 'd/a.sh'],
    namesAfter: ['d', 'd/a.sh'],
  },
  {
    name: 'create',
    path: 'd/e/a.txt',
    prepare: () => {},
    next: fileOf('new', 0o640),
    from: ABSENT,
    to: 'file 640 new',
    namesBefore: [],
    namesAfter: ['d', 'd/e', 'd/e/a.txt'],
  },
  {
    name: 'remove',
    path: 'd/e/a.txt',
    prepare: (box) => box.put('d/e/a.txt', 'old'),
    next: { at: 'absent', madeDirs: ['d', 'd/e'] },
    from: 'file 644 old',
    to: ABSENT,
    namesBefore: ['d', 'd/e', 'd/e/a.txt'],
    namesAfter: [],
  },
  {
    name: 'change the mode',
    path: 'a.sh',
    prepare: (box) => box.put('a.sh', 'same', 0o644),
    next: fileOf('same', 0o755),
    from: 'file 644 same',
    to: 'file 755 same',
    namesBefore: ['a.sh'],
    namesAfter: ['a.sh'],
  },
  {
    name: 'put a link in place of a file',
    path: 'a.txt',
    prepare: (box) => box.put('a.txt', 'old'),
    next: linkTo('else'),
    from: 'file 644 old',
    to: 'link else',
    namesBefore: ['a.txt'],
    namesAfter: ['a.txt'],
  },
];

export function standing(box: Sandbox, name: string): Standing {
  const at = path.join(box.root, name);
  const stats = fs.lstatSync(at, { throwIfNoEntry: false });
  if (!stats) return ABSENT;
  if (stats.isSymbolicLink()) return `link ${fs.readlinkSync(at)}`;
  return `file ${(stats.mode & 0o7777).toString(8)} ${fs.readFileSync(at, 'utf8')}`;
}

export class Killed extends Error {}

const READS: (keyof Calls)[] = ['lstat', 'fstat', 'readlink', 'read', 'close'];

/**
 * From the `k`th changing call on (from 1) nothing reaches the disk any more, as after a kill before it. Between
 * two changes the disk is the same, so a kill before a read is one before the next change.
 */
export function killAt(calls: Calls, k: number): { calls: Calls; count(): number } {
  let count = 0;
  const wrap =
    (call: (...args: unknown[]) => unknown, name: string) =>
    (...args: unknown[]): unknown => {
      // An open with a mode makes a file.
      const changes =
        name === 'open' ? args.length > 2 && args[2] !== undefined : !READS.includes(name as keyof Calls);
      if (changes) count += 1;
      if (count >= k) throw new Killed(`killed before change ${k}`);
      return call(...args);
    };
  return { calls: wrapAll(calls, wrap), count: () => count };
}

/** The `nth` call fails; all that follow too, where it persists. A failing call did nothing. */
export function failAt(
  calls: Calls,
  nth: number,
  errno: string,
  persists: boolean,
): { calls: Calls; count(): number } {
  let count = 0;
  const wrap =
    (call: (...args: unknown[]) => unknown, name: string) =>
    (...args: unknown[]): unknown => {
      count += 1;
      // A close that fails has closed; failing it would only leak in this process.
      if (name !== 'close' && (count === nth || (persists && count > nth))) {
        throw Object.assign(new Error(`${errno}: injected into ${name}`), { code: errno });
      }
      return call(...args);
    };
  return { calls: wrapAll(calls, wrap), count: () => count };
}

function wrapAll(
  calls: Calls,
  wrap: (call: (...args: unknown[]) => unknown, name: string) => (...args: unknown[]) => unknown,
): Calls {
  const wrapped = Object.entries(calls).map(([name, call]) => [name, wrap(call as never, name)]);
  return Object.fromEntries(wrapped) as unknown as Calls;
}

export interface Run {
  box: Sandbox;
  intent: FileIntent | null;
  /** What `publish` answered, or what was thrown. */
  result: unknown;
  error: unknown;
}

/** In memory where there is such a place: thousands of runs, and no power cut is tried. */
const PLACE = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

/** One whole operation on `system`, in a fresh place, cut short wherever its calls say so. */
export async function run(operation: Operation, system: Partial<System>): Promise<Run> {
  const box = makeSandbox(PLACE);
  operation.prepare(box);
  const out: Run = { box, intent: null, result: null, error: null };
  try {
    await steps(await box.open(system), operation, out);
  } catch (error) {
    out.error = error;
  }
  return out;
}

async function steps(workspace: Workspace, operation: Operation, out: Run): Promise<void> {
  const locked = await workspace.lock([operation.path]);
  if (isBusy(locked) || isRefused(locked)) {
    out.result = locked;
    return;
  }
  const [file] = locked;
  try {
    const staged = await file!.stage(operation.next);
    out.intent = staged.intent;
    await staged.write();
    const result = await staged.publish();
    out.result = result;
    if (result.published === true) await staged.settle();
  } finally {
    await file!.release();
  }
}
