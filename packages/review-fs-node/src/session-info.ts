import { join } from 'node:path';
import { type Durability, readBounded, replaceFile } from '@backstitch/durable-node';
import type { SessionInfo } from '@backstitch/review-core';
import { isSealed, LINE_VERSION, sealJson } from './journal.ts';
import { parseObject, sessionKey } from './store-layout.ts';

const CAP = 64 * 1024;

/**
 * `session.json`: the last thing that the making of a session writes, so that a session is there if it is. It only
 * describes: where it is damaged, the session is still found by its id, and the next one who makes it writes it anew.
 */
export async function writeInfo(directory: string, info: SessionInfo, durability: Durability): Promise<void> {
  const line = sealJson({ v: LINE_VERSION, minReader: LINE_VERSION, ...info });
  await replaceFile(infoPath(directory), Buffer.from(`${line}\n`), { mode: 0o600, durability });
}

export function infoPath(directory: string): string {
  return join(directory, 'session.json');
}

/** @param key the name of the directory, which the id must fit */
export async function readInfo(directory: string, key: string): Promise<SessionInfo | 'missing' | 'damaged'> {
  const read = await readBounded(infoPath(directory), { cap: CAP });
  if (read.kind === 'missing') return 'missing';
  if (read.kind !== 'file' || read.bytes === null || read.bytes.at(-1) !== 0x0a) return 'damaged';
  const line = read.bytes.subarray(0, -1);
  const value = isSealed(line) ? parseObject(line) : null;
  return (value === null ? null : infoOf(value, key)) ?? 'damaged';
}

function infoOf(value: Record<string, unknown>, key: string): SessionInfo | null {
  const { id, createdAt, app, forkedFrom } = value;
  if (typeof id !== 'string' || typeof createdAt !== 'string' || typeof app !== 'string') return null;
  if (forkedFrom !== null && typeof forkedFrom !== 'string') return null;
  return sessionKey(id) === key ? { id, createdAt, app, forkedFrom } : null;
}
