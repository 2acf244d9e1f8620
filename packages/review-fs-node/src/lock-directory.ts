import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createLockProvider, type LockProvider, makeDirectory } from '@backstitch/durable-node';
import { ReviewError } from '@backstitch/review-core';
import { fileFailed } from './file-failure.ts';
import { type Root, startsWith } from './path-guard.ts';
import { segmentsOf } from './roots.ts';

/** Opens the directory of the path locks: private, and apart from every root. */
export async function openLocks(given: string | undefined, roots: readonly Root[]): Promise<LockProvider> {
  const directory = given ?? path.join(os.userInfo().homedir, '.backstitch', 'locks');
  if (!path.isAbsolute(directory)) {
    throw new ReviewError(
      'invalidArgument',
      `The lock directory must be an absolute path, not ${directory}.`,
    );
  }
  // Before it is made: a root gets no directory of ours in it.
  refuseNesting(deepestReal(directory), roots);
  try {
    await makeDirectory(directory, { mode: 0o700 });
    tighten(directory);
  } catch (error) {
    throw fileFailed(error, 'made ready for the path locks', directory);
  }
  return createLockProvider({ directory: fs.realpathSync.native(directory) });
}

function refuseNesting(directory: string, roots: readonly Root[]): void {
  const inner = segmentsOf(directory);
  for (const { root } of roots) {
    const outer = segmentsOf(root);
    if (!startsWith(inner, outer, false) && !startsWith(outer, inner, false)) continue;
    const message = `The lock directory ${directory} and the root ${root} lie in each other. Give another lockDirectory.`;
    throw new ReviewError('storePlacement', message, { path: directory });
  }
}

/** The real path of what exists of it, and the rest as given. */
function deepestReal(directory: string): string {
  const parent = path.dirname(directory);
  if (fs.existsSync(directory) || parent === directory) return fs.realpathSync.native(directory);
  return path.join(deepestReal(parent), path.basename(directory));
}

/** Whoever can write there can break locks. By its handle: the path may be another's by then. */
function tighten(directory: string): void {
  if (process.platform === 'win32') return;
  const fd = fs.openSync(directory, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  try {
    if ((fs.fstatSync(fd).mode & 0o077) !== 0) fs.fchmodSync(fd, 0o700);
  } finally {
    fs.closeSync(fd);
  }
}
