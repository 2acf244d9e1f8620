import fs from 'node:fs';
import path from 'node:path';
import { errnoOf } from '@backstitch/durable-node';
import type { Scope } from '@backstitch/review-core';
import { ReviewError } from '@backstitch/review-core';
import type { NodeWorkspaceOptions } from './node-workspace.ts';
import { type Root, splitPath } from './path-guard.ts';

/** The workspace's own root first. Each is resolved once, and remembered by its identity. */
export function openRoots(options: NodeWorkspaceOptions): Root[] {
  return [
    openRoot(options.root, 'workspace'),
    ...(options.scratchRoots ?? []).map((root) => openRoot(root, 'scratch')),
    ...(options.externalRoots ?? []).map((root) => openRoot(root, 'external')),
  ];
}

function openRoot(given: string, scope: Scope): Root {
  if (typeof given !== 'string' || !path.isAbsolute(given)) {
    throw new ReviewError(
      'invalidArgument',
      `A root must be an absolute path, not ${JSON.stringify(given)}.`,
    );
  }
  const root = realPath(given);
  const stats = fs.statSync(root, { bigint: true });
  if (!stats.isDirectory()) {
    throw new ReviewError('invalidArgument', `The root ${given} is not a directory. Give one.`, {
      path: given,
    });
  }
  const spellings = [...new Set([root, path.resolve(given)])].map(segmentsOf);
  return { root, scope, dev: stats.dev, ino: stats.ino, spellings };
}

function realPath(given: string): string {
  try {
    return fs.realpathSync.native(given);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === null) throw error;
    throw new ReviewError(
      'invalidArgument',
      `The root ${given} can not be opened (${errno}). Make it, or give another.`,
      {
        path: given,
        errno,
        cause: error,
      },
    );
  }
}

export function segmentsOf(absolutePath: string): string[] {
  return splitPath(absolutePath, path.sep === '\\' ? 'win32' : 'posix').filter((name) => name !== '');
}
