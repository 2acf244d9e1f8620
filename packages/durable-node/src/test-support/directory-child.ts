/** `directory-child.ts PATH`: makes the directory. */
import { makeDirectory } from '../index.ts';

await makeDirectory(process.argv[2]!);
console.log('{}');
