/**
 * Packs one package and asks publint and attw whether everybody who can import it finds its modules and its types.
 * pnpm packs, since it is pnpm that puts `publishConfig.exports` in the place of `exports`.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, toolEnvironment } from '../scripts/lib/paths.mjs';
import { run } from '../scripts/lib/run.mjs';

const directory = join(root, 'packages', process.argv[2]);
const target = mkdtempSync(join(tmpdir(), 'backstitch-pack-'));
try {
  process.exitCode = (await check()) ? 0 : 1;
} finally {
  rmSync(target, { recursive: true });
}

async function check() {
  if (!(await step('pnpm', ['pack', '--pack-destination', target], directory))) return false;
  const tarball = join(target, readdirSync(target)[0]);
  const publint = await step('publint', ['--strict', tarball], root);
  const attw = await step('attw', [tarball, '--profile', 'esm-only', '--no-emoji', ...withoutStyles()], root);
  return publint && attw;
}

/** A style sheet has no types to resolve. */
function withoutStyles() {
  const { exports } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const styles = Object.keys(exports).filter((key) => key.endsWith('.css'));
  return styles.length === 0 ? [] : ['--exclude-entrypoints', ...styles];
}

async function step(command, args, cwd) {
  const { code, output } = await run(command, args, { cwd, env: toolEnvironment() });
  process.stdout.write(`$ ${command} ${args.join(' ')}\n${output}\n`);
  return code === 0;
}
