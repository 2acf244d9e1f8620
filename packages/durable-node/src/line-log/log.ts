/**
 * Appends to a log of JSON lines. The file may belong to another program: it is never truncated or rewritten, and
 * what it holds is a prefix of what it will hold.
 *
 * Protocol: the caller holds a lock over `append`. All lines of a call and their LFs are one buffer and one write. Where
 * the last byte is no LF (a writer was killed), an LF goes first, so that the fragment spoils no other line. `sync` may
 * come after the lock was released: it covers every earlier line, also those of others.
 *
 * Failure: a write that was cut short leaves a fragment, which the next append closes. A sync that failed seals the log
 * for ever, since the system may have dropped the bytes and would call the next sync a success.
 */
import { closeSync, constants, fchmodSync, fstatSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Durability } from '../durability.ts';
import { DurableError } from '../durable-error.ts';
import { errnoOf, ioError } from '../errno.ts';
import { createGroupCommit } from '../group-commit.ts';
import { syncData, syncDirectory } from '../sync.ts';
import { appendLines, encodeLines, type LineSpan } from './append.ts';
import { checkMaxLineBytes, DEFAULT_MAX_LINE_BYTES } from './limits.ts';

export interface OpenLineLogOptions {
  path: string;
  /** Of a new file, whatever the umask. Default 0600. */
  mode?: number;
  durability?: Durability;
  /** A longer line is refused, since a reader with the same limit would skip it. Default 16 MiB, at most 256 MiB. */
  maxLineBytes?: number;
}

/** @since 0.1.0 */
export interface LineLog {
  /**
   * Appends the lines in order, by one write. They are on the disk after the next `sync`.
   *
   * @param lines each the text of one JSON value, without line breaks: what `JSON.stringify` makes
   * @throws DurableError `ioFailed` (a part may have been written), `tooLong`, `replaced`, `sealed`, `closed`,
   *   `invalidArgument`
   */
  append(lines: readonly string[]): Promise<LineSpan[]>;
  /**
   * Resolves when everything that was appended before the call is on the disk. Calls share one sync.
   *
   * @throws DurableError `ioFailed` for those who shared the sync that failed, `sealed` from then on, `closed`
   */
  sync(): Promise<void>;
  /** Of the open file: compare with the path's to learn whether it was replaced. */
  identity(): Promise<{ dev: bigint; ino: bigint; size: number }>;
  /** Waits for a running sync; does not sync by itself. */
  close(): Promise<void>;
}

const APPEND_FLAGS: number =
  constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a log, and makes it where it is missing (its directory must exist).
 *
 * @throws DurableError `notAFile` (also for a symbolic link), `ioFailed`, `invalidArgument`
 * @since 0.1.0
 */
export async function openLineLog(options: OpenLineLogOptions): Promise<LineLog> {
  const { path, mode = 0o600, durability = 'power', maxLineBytes = DEFAULT_MAX_LINE_BYTES } = options;
  checkMaxLineBytes(maxLineBytes);
  const fd = openOrCreate(path, mode);
  try {
    if (!fstatSync(fd).isFile()) throw notAFile(path);
    // Always: whoever made the file may have been killed before it synced the name.
    await syncDirectory(dirname(path), durability);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return createLineLog(fd, path, durability, maxLineBytes);
}

function openOrCreate(path: string, mode: number): number {
  for (;;) {
    try {
      return openSync(path, APPEND_FLAGS);
    } catch (error) {
      const errno = errnoOf(error);
      const other = errno === 'EISDIR' || errno === 'ELOOP' || errno === 'ENXIO';
      if (errno !== 'ENOENT') throw ioError('open the log', path, error, other ? 'notAFile' : 'ioFailed');
    }
    const fd = create(path, mode);
    if (fd !== null) return fd;
  }
}

/** Null where another process was quicker. */
function create(path: string, mode: number): number | null {
  try {
    const fd = openSync(path, APPEND_FLAGS | constants.O_CREAT | constants.O_EXCL, mode);
    if (process.platform !== 'win32') fchmodSync(fd, mode);
    return fd;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return null;
    throw ioError('make the log', path, error);
  }
}

function createLineLog(fd: number, path: string, durability: Durability, maxLineBytes: number): LineLog {
  let sealed: unknown = null;
  let closed = false;

  function checkUsable(): void {
    if (closed) throw new DurableError('closed', `The log ${path} was closed: open it again.`, { path });
    if (sealed !== null) throw sealedError(path, sealed);
  }

  const commit = createGroupCommit(async () => {
    if (sealed !== null) throw sealedError(path, sealed);
    try {
      if (durability !== 'none') await syncData(fd);
    } catch (error) {
      // EIO, ENOSPC, EDQUOT: the bytes may be gone from the cache too, and a second sync would not say so.
      sealed = error;
      throw ioError('sync the log', path, error);
    }
  });

  return {
    async append(lines) {
      checkUsable();
      return lines.length === 0 ? [] : appendLines(fd, path, encodeLines(lines, path, maxLineBytes));
    },
    async sync() {
      checkUsable();
      await commit.join();
    },
    async identity() {
      checkUsable();
      const { dev, ino, size } = fstatSync(fd, { bigint: true });
      return { dev, ino, size: Number(size) };
    },
    async close() {
      if (closed) return;
      closed = true;
      await commit.idle();
      closeSync(fd);
    },
  };
}

function notAFile(path: string): DurableError {
  return new DurableError('notAFile', `${path} is no regular file, so it can't be a log.`, { path });
}

function sealedError(path: string, cause: unknown): DurableError {
  const message = `A sync of ${path} failed, so nothing more can be promised for this handle: open it again.`;
  const errno = errnoOf(cause);
  return new DurableError('sealed', message, { path, cause, ...(errno === null ? {} : { errno }) });
}
