/** Type-checks the tests: every project named `tsconfig.test.json`. Exit code 1 if one has errors. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, toolEnvironment } from '../scripts/lib/paths.mjs';
import { run } from '../scripts/lib/run.mjs';

const projects = ['packages', 'examples', 'test']
  .flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name, 'tsconfig.test.json')))
  .filter((file) => existsSync(join(root, file)));

const { code, output } = await run('tsc', ['-b', ...projects], { cwd: root, env: toolEnvironment() });
process.stdout.write(output);
console.log(`${projects.length} test projects ${code === 0 ? 'are' : 'are not all'} sound`);
process.exitCode = code === 0 && projects.length > 0 ? 0 : 1;
