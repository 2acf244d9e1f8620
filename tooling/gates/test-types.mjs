/** Type-checks the tests: every project named `tsconfig.test.json`, each on its own. Exit code 1 if one has errors. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, toolEnvironment } from '../scripts/lib/paths.mjs';
import { run } from '../scripts/lib/run.mjs';

const projects = ['packages', 'examples', 'test']
  .filter((group) => existsSync(join(root, group)))
  .flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name, 'tsconfig.test.json')))
  .filter((file) => existsSync(join(root, file)));

let failed = 0;
for (const project of projects) {
  const { code, output } = await run('tsc', ['-p', project, '--noEmit'], {
    cwd: root,
    env: toolEnvironment(),
  });
  if (code === 0) continue;
  failed += 1;
  process.stdout.write(`${project}\n${output}`);
}
console.log(`${projects.length} test projects, ${failed} with errors`);
process.exitCode = failed === 0 && projects.length > 0 ? 0 : 1;
