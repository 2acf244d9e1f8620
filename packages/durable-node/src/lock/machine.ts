/**
 * What this machine can tell about itself and its processes. Linux tells all of it by /proc; macOS by two small
 * programs; Windows its machine id only. What can't be told is null.
 */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { errnoOf } from '../errno.ts';
import { sha256 } from '../sha256.ts';

export interface Machine {
  hostId: string | null;
  bootId: string | null;
  /** When this kernel started, in milliseconds since 1970; null where that can't be told well enough. */
  bootedAt: number | null;
  pidNamespace: string | null;
  timeNamespace: string | null;
}

/** `unknown`: there is one, or there may be one, and no more can be told. */
export type ProcessState = 'gone' | 'zombie' | 'unknown' | { start: string };

export function describeMachine(): Machine {
  if (process.platform === 'linux') return linuxMachine();
  const [hardware, bootId] = otherIds();
  return {
    hostId: hostIdFrom(hardware),
    bootId,
    bootedAt: null,
    // These systems have one space of pids, and count time from one zero.
    pidNamespace: 'only',
    timeNamespace: 'only',
  };
}

function linuxMachine(): Machine {
  const bootTime = /^btime (\d+)$/m.exec(readText('/proc/stat') ?? '')?.[1];
  return {
    hostId: hostIdFrom(readText('/etc/machine-id') || readText('/var/lib/dbus/machine-id')),
    bootId: readText('/proc/sys/kernel/random/boot_id'),
    bootedAt: bootTime === undefined ? null : Number(bootTime) * 1000,
    pidNamespace: readLinkText('/proc/self/ns/pid'),
    timeNamespace: readLinkText('/proc/self/ns/time'),
  };
}

/** With the host's name, since machines made from one image often share their machine id. */
function hostIdFrom(hardware: string | null): string | null {
  return hardware
    ? sha256(Buffer.from(JSON.stringify(['backstitch-host', hardware, hostname()]))).slice(0, 32)
    : null;
}

function otherIds(): [string | null, string | null] {
  if (process.platform === 'darwin') {
    const text = run('/usr/sbin/sysctl', ['-n', 'kern.uuid', 'kern.bootsessionuuid']);
    const [hardware, boot] = (text ?? '').trim().split('\n');
    return [hardware || null, boot || null];
  }
  if (process.platform === 'win32') {
    const text = run('reg.exe', ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid']);
    return [/MachineGuid\s+REG_SZ\s+(\S+)/.exec(text ?? '')?.[1] ?? null, null];
  }
  return [null, null];
}

/** Of a process in this pid namespace. */
export async function processState(pid: number): Promise<ProcessState> {
  if (!exists(pid)) return 'gone';
  if (process.platform === 'linux') return linuxState(readText(`/proc/${pid}/stat`), pid);
  if (process.platform === 'darwin') return darwinState(pid);
  return 'unknown';
}

/** Null start: it can't be told, or /proc shows another pid namespace than the one this process is in. */
export function ownStart(): string | null {
  if (process.platform === 'darwin') {
    const text = run('/bin/ps', ['-o', 'state=,lstart=', '-p', String(process.pid)]);
    const state = parsePs(text ?? '');
    return typeof state === 'object' ? state.start : null;
  }
  const state = linuxState(readText('/proc/self/stat'), process.pid);
  return typeof state === 'object' ? state.start : null;
}

/** A process of another user exists, though it may not be signalled; and /proc may be told to hide it. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // ESRCH is the one proof that there is none.
    return errnoOf(error) !== 'ESRCH';
  }
}

/** `pid (name) state ppid … starttime(22)`; the name may hold spaces and brackets, so the last bracket counts. */
export function linuxState(stat: string | null, pid: number): ProcessState {
  if (stat === null || !stat.startsWith(`${pid} (`)) return 'unknown';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X' || fields[0] === 'x') return 'zombie';
  const start = fields[19];
  return start !== undefined && /^\d+$/.test(start) ? { start } : 'unknown';
}

async function darwinState(pid: number): Promise<ProcessState> {
  try {
    const { stdout } = await promisify(execFile)('/bin/ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
      env: { LC_ALL: 'C', TZ: 'UTC' },
    });
    return parsePs(stdout);
  } catch {
    // It ended just now (ps exits with 1), or there is no ps: the next look will tell, or nothing will.
    return 'unknown';
  }
}

export function parsePs(text: string): ProcessState {
  const [, state, start] = /^\s*(\S+)\s+(\S.*\S)\s*$/.exec(text) ?? [];
  if (state === undefined || start === undefined) return 'unknown';
  return state.startsWith('Z') ? 'zombie' : { start };
}

function run(file: string, args: string[]): string | null {
  try {
    return execFileSync(file, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { LC_ALL: 'C', TZ: 'UTC' },
    });
  } catch {
    // No such program, or it refused: then this can't be told, and nothing is proved by it.
    return null;
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch (error) {
    // Not there, or not for us: a container may mount little of /proc.
    if (errnoOf(error) === null) throw error;
    return null;
  }
}

function readLinkText(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    // As above; kernels before 5.6 have no time namespaces.
    if (errnoOf(error) === null) throw error;
    return null;
  }
}
