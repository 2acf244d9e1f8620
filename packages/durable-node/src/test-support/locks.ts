import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock, LockBusy, OwnerRecord } from '../index.ts';

export function held(result: Lock | LockBusy): Lock {
  if ('busy' in result) throw new Error(`busy: ${JSON.stringify(result)}`);
  return result;
}

/** A generation that somebody with this record (or with no readable record) holds. */
export function plantOwner(
  directory: string,
  key: string,
  generation: number,
  record: OwnerRecord | string,
): void {
  mkdirSync(join(directory, key), { recursive: true });
  const path = join(directory, key, `${String(generation).padStart(12, '0')}.own`);
  writeFileSync(path, typeof record === 'string' ? record : JSON.stringify(record));
}
