import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from './folder.js';
import { slug } from './slug.js';

/** Writes a note and answers the name of its file. */
export function addNote(title) {
  const name = `${slug(title)}.md`;
  writeFileSync(join(folder(), name), `# ${title}\n`);
  return name;
}
