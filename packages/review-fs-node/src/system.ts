import fs from 'node:fs';
import type { BoundedRead } from '@backstitch/durable-node';
import { readBounded, writeAll } from '@backstitch/durable-node';

/**
 * What the workspace takes from the machine: the file system calls that it makes, and what kind of system it
 * stands on. It is a value so that tests can let a call fail, stop the process before it, or run the weaker way
 * of another system on real files. Not exported from the package.
 */
export interface Calls {
  open(path: string, flags: number, mode?: number): number;
  close(fd: number): void;
  /** Undefined where nothing stands there. */
  lstat(path: string): fs.BigIntStats | undefined;
  fstat(fd: number): fs.BigIntStats;
  readlink(path: string): Uint8Array;
  link(existing: string, path: string): void;
  rename(from: string, to: string): void;
  unlink(path: string): void;
  mkdir(path: string): void;
  rmdir(path: string): void;
  symlink(target: Uint8Array, path: string): void;
  fchmod(fd: number, mode: number): void;
  fchown(fd: number, uid: number, gid: number): void;
  futimes(fd: number, atime: number, mtime: number): void;
  /** All of the bytes, or a throw. */
  write(fd: number, bytes: Uint8Array): void;
  /** In the thread pool: a sync waits for other programs' dirty data too. */
  fsync(fd: number): Promise<void>;
  read(path: string, cap: number): Promise<BoundedRead>;
}

export interface System {
  calls: Calls;
  /** Which names a file can have here. */
  rules: 'posix' | 'win32';
  /** Whether directories can be walked by handles (`/proc/self/fd`). */
  handleWalk: boolean;
  /** Whether `link()` makes a second name of a symbolic link itself, instead of following it. */
  linksLinks: boolean;
  /** The mode of a new file is `0o666` without these bits. */
  umask(): number;
}

export const nodeCalls: Calls = {
  open: (path, flags, mode) => fs.openSync(path, flags, mode),
  close: (fd) => fs.closeSync(fd),
  lstat: (path) => fs.lstatSync(path, { bigint: true, throwIfNoEntry: false }),
  fstat: (fd) => fs.fstatSync(fd, { bigint: true }),
  readlink: (path) => fs.readlinkSync(path, { encoding: 'buffer' }),
  link: (existing, path) => fs.linkSync(existing, path),
  rename: (from, to) => fs.renameSync(from, to),
  unlink: (path) => fs.unlinkSync(path),
  mkdir: (path) => {
    fs.mkdirSync(path);
  },
  rmdir: (path) => fs.rmdirSync(path),
  symlink: (target, path) => fs.symlinkSync(Buffer.from(target), path),
  fchmod: (fd, mode) => fs.fchmodSync(fd, mode),
  fchown: (fd, uid, gid) => fs.fchownSync(fd, uid, gid),
  futimes: (fd, atime, mtime) => fs.futimesSync(fd, atime, mtime),
  write: (fd, bytes) => writeAll(fd, bytes),
  fsync: (fd) => new Promise((done, fail) => fs.fsync(fd, (error) => (error ? fail(error) : done()))),
  read: (path, cap) => readBounded(path, { cap }),
};

/** Looks once at what this machine can do. */
export function detectSystem(): System {
  const linux = process.platform === 'linux';
  return {
    calls: nodeCalls,
    rules: process.platform === 'win32' ? 'win32' : 'posix',
    handleWalk: linux && procIsMounted(),
    linksLinks: linux,
    umask: linux ? umaskOfProc : () => process.umask(),
  };
}

/** In a container `/proc` may be missing, or be something else. */
function procIsMounted(): boolean {
  const fd = fs.openSync('/', fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  try {
    const [here, there] = [
      fs.fstatSync(fd, { bigint: true }),
      fs.statSync(`/proc/self/fd/${fd}/`, { bigint: true }),
    ];
    return here.dev === there.dev && here.ino === there.ino;
  } catch {
    // ENOENT, EACCES: no proc that shows us our own descriptors. The weaker way is taken and reported.
    return false;
  } finally {
    fs.closeSync(fd);
  }
}

/** `process.umask()` sets the mask to 0 for a moment, for every thread of the host; reading it here does not. */
function umaskOfProc(): number {
  const line = /^Umask:\s*([0-7]+)$/m.exec(fs.readFileSync('/proc/self/status', 'latin1'));
  return line ? Number.parseInt(line[1]!, 8) : 0o022;
}
