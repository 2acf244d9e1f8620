/** `rude-child.ts PATH`: appends lines without any lock, as a host that owns the file does. */
import { appendFileSync } from 'node:fs';

setInterval(() => {
  for (let i = 0; i < 20; i++) appendFileSync(process.argv[2]!, `{"rude":${i}}\n`);
}, 1);
process.send!('ready');
