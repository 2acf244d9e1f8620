import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { EntryKind } from '../src/record/v1.ts';

export interface Entry {
  kind: EntryKind;
  bytes: Uint8Array;
  executable: boolean;
}

/** A folder in which the real git applies patches. It sees no repository and no settings of anybody's. */
export class GitFolder {
  readonly #directory = mkdtempSync(join(tmpdir(), 'backstitch-patch-'));

  put(path: string, entry: Entry | null): void {
    const target = join(this.#directory, path);
    rmSync(target, { force: true });
    if (entry === null) return;
    mkdirSync(dirname(target), { recursive: true });
    if (entry.kind === 'symlink') symlinkSync(Buffer.from(entry.bytes), target);
    else writeFileSync(target, entry.bytes, { mode: entry.executable ? 0o755 : 0o644 });
  }

  get(path: string): Entry | null {
    const target = join(this.#directory, path);
    const stat = lstatSync(target, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    if (stat.isSymbolicLink()) {
      return { kind: 'symlink', bytes: new Uint8Array(readlinkSync(target, 'buffer')), executable: true };
    }
    return {
      kind: 'file',
      bytes: new Uint8Array(readFileSync(target)),
      executable: (stat.mode & 0o100) !== 0,
    };
  }

  /** Answers what git had to say against the patch; null where it took it. */
  apply(patch: string, ...options: string[]): string | null {
    const { status, stderr } = spawnSync('git', ['apply', '--whitespace=nowarn', ...options, '-'], {
      cwd: this.#directory,
      env: this.#env(),
      input: patch,
      encoding: 'utf8',
    });
    return status === 0 ? null : stderr;
  }

  /** Added and removed lines of two texts, as git counts them. */
  numstat(before: Uint8Array, after: Uint8Array): [additions: number, deletions: number] {
    writeFileSync(join(this.#directory, 'before'), before);
    writeFileSync(join(this.#directory, 'after'), after);
    const { stdout } = spawnSync('git', ['diff', '--no-index', '--numstat', 'before', 'after'], {
      cwd: this.#directory,
      env: this.#env(),
      encoding: 'utf8',
    });
    const [additions = '0', deletions = '0'] = stdout.split('\t');
    return [Number(additions || 0), Number(deletions)];
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #env(): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      HOME: this.#directory,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CEILING_DIRECTORIES: dirname(this.#directory),
      LC_ALL: 'C',
    };
  }
}
