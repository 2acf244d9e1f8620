import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from './folder.js';

/** All notes, by name. */
export function listNotes() {
  return readdirSync(folder())
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder(), name), 'utf8');
      const title = text.split('\n')[0].replace('# ', '');
      return { name, title, text };
    });
}
