import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { root, run, temporary } from './shell.ts';

export interface Packed {
  /** By package name: the tarball's path. */
  tarballs: Record<string, string>;
  /** One home for all consumers, so that npm fetches each foreign package once. */
  home: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    packed: Packed;
  }
}

/** Builds and packs every package once, as a release would. */
export default async function setup(project: TestProject): Promise<() => void> {
  const { directory, remove } = temporary('packed');
  try {
    project.provide('packed', await packAll(directory));
  } catch (error) {
    // A build or a pack that failed: no test runs, and nobody else would remove the folder.
    remove();
    throw error;
  }
  return remove;
}

async function packAll(directory: string): Promise<Packed> {
  const home = join(directory, 'home');
  mkdirSync(home);
  // The compiler leaves the output of a source that is gone; a release starts from nothing.
  for (const folder of readdirSync(join(root, 'packages'))) {
    rmSync(join(root, 'packages', folder, 'dist'), { recursive: true, force: true });
  }
  await run('tsc', ['-b'], root, home);
  const tarballs: Record<string, string> = {};
  for (const folder of readdirSync(join(root, 'packages'))) {
    const source = join(root, 'packages', folder);
    const target = join(directory, folder);
    mkdirSync(target);
    await run('pnpm', ['pack', '--pack-destination', target], source, home);
    const { name } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as { name: string };
    tarballs[name] = join(target, readdirSync(target)[0] as string);
  }
  return { tarballs, home };
}
