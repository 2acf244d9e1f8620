/** `replace-child.ts PATH TEXT`: replaces the file once and prints what came of it. */
import { DurableError, replaceFile } from '../index.ts';

const [path, text] = process.argv.slice(2) as [string, string];
// Without this a file size limit kills the process instead of failing the call.
process.on('SIGXFSZ', () => {});
try {
  await replaceFile(path, Buffer.from(text));
  console.log(JSON.stringify({ done: true }));
} catch (error) {
  if (!DurableError.isInstance(error)) throw error;
  console.log(JSON.stringify({ code: error.code, errno: error.errno, path: error.path }));
}
