import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sha256 } from '@backstitch/durable-node';
import type { EventData, Locator, ReviewStore, SessionStore, UnreadableEvent } from '@backstitch/review-core';
import { afterEach, type TestContext } from 'vitest';
import { openStore } from './file-review-store.ts';

const made: string[] = [];
const mounted: string[] = [];
const opened: ReviewStore[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  for (const dir of mounted.splice(0)) spawnSync('umount', ['-l', dir]);
  for (const dir of made.splice(0)) fs.rmSync(dir, { recursive: true, force: true });
});

/** A directory of this test alone, put away after it. */
export function makeDir(): string {
  const dir = fs.realpathSync.native(fs.mkdtempSync(path.join(os.tmpdir(), 'bks-store-')));
  made.push(dir);
  return dir;
}

/** A file system of its own, as `mount` makes it; the test is reported as not run where it can't. */
export function mountTmpfs(context: TestContext, options: string): string {
  const dir = path.join(makeDir(), 'disk');
  fs.mkdirSync(dir);
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dir], { encoding: 'utf8' });
  context.skip(mount.status !== 0, `this needs a tmpfs, and mount said: ${mount.stderr ?? mount.error}`);
  mounted.push(dir);
  return dir;
}

/** Waits for busy sessions briefly, so that tests of contention are short. */
export async function open(directory: string, busyTimeoutMs = 500): Promise<ReviewStore> {
  const store = await openStore({ directory, busyTimeoutMs });
  opened.push(store);
  return store;
}

export async function session(store: ReviewStore, id = 's'): Promise<SessionStore> {
  return (await store.session(id, { create: true }))!;
}

export function sessionDir(directory: string, id = 's'): string {
  return path.join(directory, 'sessions', sha256(Buffer.from(id)));
}

export function journalOf(directory: string, id = 's'): string {
  return path.join(sessionDir(directory, id), 'journal.jsonl');
}

export type Item = EventData | UnreadableEvent['unreadable'];

export async function items(from: SessionStore): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of from.read()) all.push('event' in item ? item.event : item.unreadable);
  return all;
}

export async function append(to: SessionStore, ...events: EventData[]): Promise<unknown> {
  return to.write((writer) => writer.append(events));
}

export async function put(to: SessionStore, text: string, hint?: Locator): Promise<Locator> {
  const bytes = Buffer.from(text);
  return (await to.write((writer) => writer.put(sha256(bytes), bytes, hint))) as Locator;
}

/** Changes one bit of a file where it lies. */
export function flipBit(file: string, offset: number, bit = 0): void {
  const bytes = fs.readFileSync(file);
  bytes[offset]! ^= 1 << bit;
  fs.writeFileSync(file, bytes);
}

export interface Child {
  process: ChildProcess;
  /** The next line that it prints. */
  line(): Promise<string>;
  /** Its exit code, or the name of the signal that ended it. */
  ended: Promise<number | string>;
  kill(signal?: NodeJS.Signals): void;
}

const PROGRAM = fileURLToPath(new URL('./store-child.fixture.ts', import.meta.url));

/** Runs `store-child.fixture.ts` in a process of its own. */
export function spawnChild(args: string[], imports: string[] = [], env: NodeJS.ProcessEnv = {}): Child {
  const flags = ['--conditions=@backstitch/source', '--import', 'tsx'];
  for (const each of imports) flags.push('--import', each);
  const child = spawn(process.execPath, [...flags, PROGRAM, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return {
    process: child,
    async line() {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`the child ended without a further line: ${args.join(' ')}`);
      return value;
    },
    ended: once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string),
    kill: (signal = 'SIGKILL') => void child.kill(signal),
  };
}
