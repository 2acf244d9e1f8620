/**
 * `npm start`: installs and builds what the web host needs, then runs the host in the foreground and hands its
 * arguments (`--check`, `--workspace DIR`) on. Standard output belongs to the host alone; what the preparation has to
 * say goes to standard error, and its logs are shown only when it failed. The host's exit code is kept.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodeOf, onEnd } from './lib/lifetime.mjs';
import { meet } from './lib/needs.mjs';
import { root } from './lib/paths.mjs';
import { build, install } from './lib/prepare.mjs';
import { endAll } from './lib/run.mjs';

const host = join(root, 'examples', 'web-host');
const args = process.argv.slice(2);
let running = null;

onEnd(handOn);

await step('Installing', install());
const manifest = JSON.parse(readFileSync(join(host, 'package.json'), 'utf8'));
await step('Building', build(manifest.name));
runHost(args.includes('--check') ? await browser() : {});

async function step(title, work) {
  process.stderr.write(`${title}…\n`);
  const { code, output } = await work;
  if (code === 0) return;
  process.stderr.write(`${output}\n${title} failed: the host was not started.\n`);
  process.exit(1);
}

/** The check drives the page in a real browser, which is installed where that can be done. */
async function browser() {
  const answer = await meet('chromium');
  if (answer.env !== undefined) return answer.env;
  process.stderr.write(`${answer.missing}\n`);
  process.exit(1);
}

/** The example's own `start` script is `node FILE …`; it is run without a shell, so that signals reach the host. */
function runHost(env) {
  const [command, file, ...own] = manifest.scripts.start.split(' ');
  if (command !== 'node') throw new Error(`the start script of ${manifest.name} must be "node FILE …"`);
  running = spawn(process.execPath, [join(host, file), ...own, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  running.on('exit', (code, signal) => process.exit(code ?? exitCodeOf(signal)));
}

/** While preparing, a signal ends the preparation; later it is the host's own business how it ends. */
function handOn(signal) {
  if (running === null) {
    endAll();
    process.exit(exitCodeOf(signal));
  }
  // In a terminal Ctrl-C reaches the whole process group: handing it on would be a second one.
  if (signal !== 'SIGINT' || !process.stdin.isTTY) running.kill(signal);
}
