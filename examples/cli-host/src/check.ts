/**
 * `npm run check`: runs the commands as a person would, one process each, in a temporary folder, and compares
 * the bytes on disk. Prints one JSON line; exits 0 only if all of it held.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const home = mkdtempSync(join(tmpdir(), 'cli-host-'));
const workspace = join(home, 'work');
const state = join(home, 'state');
const main = fileURLToPath(new URL('./main.js', import.meta.url));
const file = join(workspace, 'a.txt');
let runs = 0;

function cli(expected: number, ...args: string[]) {
  const result = spawnSync(
    process.execPath,
    [main, '--workspace', workspace, '--state', state, '--json', ...args],
    {
      encoding: 'utf8',
    },
  );
  runs++;
  assert.equal(result.status, expected, `cli-host ${args.join(' ')}: ${result.stdout}${result.stderr}`);
  return JSON.parse(result.stdout);
}

try {
  mkdirSync(workspace);
  writeFileSync(file, 'one\ntwo\n');

  const edited = cli(0, 'edit', 'a.txt', '--replace', 'two', '--with', '2').change;
  assert.equal(readFileSync(file, 'utf8'), 'one\n2\n');
  assert.deepEqual([edited.additions, edited.deletions, edited.state], [1, 1, 'active']);

  cli(0, 'begin', '--call', 'c1', 'a.txt');
  writeFileSync(file, 'one\n2\nthree\n');
  const [finished] = cli(0, 'finish', '--call', 'c1').changes;
  assert.deepEqual([finished.additions, finished.deletions], [1, 0]);
  assert.deepEqual(cli(0, 'finish', '--call', 'c1').changes, [finished]);

  assert.equal(cli(0, 'show', finished.id.slice(0, 8)).hunks[0].lines.at(-1), '+three');
  assert.equal(cli(0, 'keep', finished.id).status, 'kept');
  assert.equal(cli(1, 'rollback', edited.id).reason, 'laterChange');
  assert.equal(cli(0, 'rollback', finished.id).status, 'rolledBack');
  assert.equal(readFileSync(file, 'utf8'), 'one\n2\n');

  writeFileSync(file, 'mine\n');
  assert.equal(cli(1, 'rollback', edited.id).reason, 'changedOnDisk');
  assert.equal(readFileSync(file, 'utf8'), 'mine\n');
  assert.equal(cli(3, 'rollback', 'ffffffff').error, 'unknownRecord');
  assert.equal(cli(2, 'edit').error, 'usage');
  assert.equal(cli(7, 'edit', '../up.txt', '--content', 'x').error, 'pathRefused');
  assert.deepEqual(
    cli(0, 'list').items.map((item: { state: string }) => item.state),
    ['active', 'rolledBack'],
  );
  process.stdout.write(`${JSON.stringify({ ok: true, commands: runs })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ ok: false, commands: runs, error: String(error) })}\n`);
  process.exitCode = 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}
