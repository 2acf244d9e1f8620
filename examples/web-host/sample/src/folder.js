import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export function folder() {
  const path = join(homedir(), 'notes');
  mkdirSync(path, { recursive: true });
  return path;
}
