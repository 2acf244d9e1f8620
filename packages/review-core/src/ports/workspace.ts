import type { EntryKind, FileState, Scope } from '../record/v1.ts';
import type { Busy, Capabilities } from './capabilities.ts';

/**
 * The workspace port: the only way in which Backstitch changes a person's files.
 *
 * Calling sequence for a write:
 * 1. `lock([path])` takes the path lock, reads the target and chooses names (`temp`, `displaced`). Nothing is
 *    written. The `LockedFile` remembers what it saw.
 * 2. the caller writes a record that names them (a `pending` or an `intent`) to its store.
 * 3. `stage(next)`, then `write()` puts the new bytes in the temp and syncs it.
 * 4. `publish()` checks once more, keeps a link to what it displaces, publishes, and verifies what was
 *    displaced. Where a foreign write came between, it is put back and the answer is a conflict.
 * 5. `settle()` removes the displaced copy, syncs the directory; the caller records the end.
 * 6. `release()`, always.
 *
 * `abort()` at any point before `publish()` removes what was staged. After a crash, `Workspace.settle(intent)`
 * brings one file to one of its two ends, or answers that neither is lawful.
 *
 * Guaranteed: bytes are changed only where the target is what `seen` says (kind, size and SHA-256). A link is
 * never followed, and nothing outside the roots is opened for writing.
 *
 * @since 0.1.0
 */

/** A path that the workspace accepts. `path` is canonical: one spelling for one place. */
export interface Located {
  root: string;
  path: string;
  scope: Scope;
  absolutePath: string;
}

export const REFUSALS = [
  'outsideRoot',
  'rootItself',
  'link',
  'notADirectory',
  'reservedName',
  'nameTooLong',
  'notUtf8',
  'denied',
  'rootMissing',
  'rootChanged',
  'invalidName',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** A path that the workspace does not touch, and why. */
export interface Refused {
  refused: Refusal;
  path: string;
  message: string;
}

export function isRefused(value: unknown): value is Refused {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { refused?: unknown }).refused === 'string'
  );
}

export const UNSUPPORTED_KINDS = [
  'directory',
  'fifo',
  'socket',
  'device',
  'unreadable',
  'changing',
  'unknown',
] as const;
export type UnsupportedKind = (typeof UNSUPPORTED_KINDS)[number];

/** What stood at a path when it was looked at. */
export type Seen =
  | { at: 'absent' }
  | {
      at: EntryKind;
      state: FileState;
      /** The raw bytes (of a link: its target); null over the cap that was asked for. */
      bytes: Uint8Array | null;
      /** Number of hard links. */
      links: number;
    }
  | { at: 'unsupported'; what: UnsupportedKind; message: string };

/** What shall stand at a path. */
export type Next =
  | {
      at: 'absent';
      /**
       * Parents that the change being undone had made, relative to the root, outermost first: they go with the
       * file when they are empty. Default none.
       */
      madeDirs?: readonly string[];
    }
  | {
      at: EntryKind;
      bytes: Uint8Array;
      digest: string;
      /** Null: the current file's mode, or the system's default for a new one. */
      mode: number | null;
    };

/** The plain data that recovery needs to finish or take back one file. Written to the journal. */
export interface FileIntent {
  root: string;
  path: string;
  from: FileState | null;
  to: FileState | null;
  /** Names in the target's own directory; no separators. */
  temp: string;
  displaced: string;
  /** Parents (relative to the root, outermost first) that did not exist. Removed again only when empty. */
  madeDirs: string[];
}

export type PublishResult =
  | { published: true; state: FileState | null }
  | {
      published: false;
      reason: 'changedOnDisk' | 'deleted' | 'replacedKind' | 'foreignWrite' | 'rootChanged';
      message: string;
    }
  /** Neither end could be reached without losing bytes: both copies stand, under the names given. */
  | { published: 'attention'; message: string; names: string[] };

/** A write that was prepared. Each step is called once, in order. */
export interface Staged {
  readonly intent: FileIntent;
  /** Makes missing parents, writes and syncs the temp. */
  write(): Promise<void>;
  publish(): Promise<PublishResult>;
  /**
   * Removes the displaced copy and syncs the directory. Only after a publish. Throws where somebody wrote to that
   * copy meanwhile: it stays, and `Workspace.settle` gives it its name back.
   */
  settle(): Promise<void>;
  /** Removes what was staged. Lawful after any step that came before a successful publish. */
  abort(): Promise<void>;
}

/** A path under its lock. The only object that can change the file. */
export interface LockedFile extends Located {
  /** What stood there when the lock was taken, or when `look` was last called. */
  readonly seen: Seen;
  readonly names: { temp: string; displaced: string };
  /** Parents that did not exist, relative to the root, outermost first. */
  readonly missingDirs: string[];
  /** Reads the target again (after a tool that writes by itself) and remembers it. */
  look(): Promise<Seen>;
  /** Chooses nothing and writes nothing yet: pairs what was seen with what shall be. */
  stage(next: Next): Promise<Staged>;
  release(): Promise<void>;
}

/** What recovery made of one intent. */
export interface Settlement {
  /** `done`: the target is `to`. `prior`: it is `from` (or a foreign file was put back). */
  result: 'done' | 'prior' | 'attention';
  reason: 'foreignWrite' | null;
  message: string;
  /** What stands at the target now, and what under the displaced name. */
  target: FileState | null;
  displaced: FileState | null;
}

export interface LockOptions {
  /** Bytes above this are hashed and not kept. Default 16 MiB. */
  cap?: number;
  /** How long to wait for the locks, in milliseconds. Default 5000. */
  timeoutMs?: number;
}

export interface Workspace {
  /** The absolute real path of the root. */
  readonly root: string;
  /** Every root a path may lie in, with its scope. */
  readonly roots: readonly { root: string; scope: Scope }[];
  readonly capabilities: Capabilities;
  /** Accepts relative and absolute spellings. Never follows a link. */
  locate(path: string): Promise<Located | Refused>;
  /** Reads without a lock: to show, never to act on. */
  read(path: string, cap?: number): Promise<Seen | Refused>;
  /** All or none; in one order everywhere. Paths are as `locate` takes them. */
  lock(paths: readonly string[], options?: LockOptions): Promise<LockedFile[] | Busy | Refused>;
  /** Recovery of one file. Takes the path lock itself. */
  settle(intent: FileIntent): Promise<Settlement | Busy | Refused>;
}
