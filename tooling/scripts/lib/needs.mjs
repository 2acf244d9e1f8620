import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './run.mjs';

/**
 * What some suites need from the machine. Each need answers `{ env }` when it is there (installed on the way where
 * that is possible), `{ missing }` with what to install, or `{ notHere }` on a system that can't have it.
 */
const needs = {
  chromium: async () => {
    const given = process.env.CHROME_PATH;
    if (given) return existsSync(given) ? { env: {} } : { missing: `CHROME_PATH names no file: ${given}` };
    const found = findChromium() ?? ((await aptInstall('chromium')) ? findChromium() : null);
    if (found !== null) return { env: { CHROME_PATH: found } };
    return {
      missing: 'no Chromium was found: install Chromium or Chrome, or set CHROME_PATH to its executable',
    };
  },
  strace: async () => {
    if (process.platform !== 'linux')
      return { notHere: `strace traces Linux only, this is ${process.platform}` };
    if (onPath('strace') !== null || (await aptInstall('strace'))) return { env: {} };
    return { missing: 'no strace was found: install the package "strace"' };
  },
};

const answers = new Map();
let queue = Promise.resolve();

/** Meets one need; asked twice, it is met once. Needs are met one after the other: apt has a single lock. */
export function meet(name) {
  const known = answers.get(name);
  if (known !== undefined) return known;
  if (needs[name] === undefined) throw new Error(`tooling/suites.mjs asks for the unknown need "${name}"`);
  const answer = queue.then(needs[name]);
  queue = answer.then(() => undefined);
  answers.set(name, answer);
  return answer;
}

function findChromium() {
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
  for (const name of names) {
    const found = onPath(name);
    if (found !== null) return found;
  }
  const places = [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ];
  return places.find((place) => existsSync(place)) ?? null;
}

function onPath(name) {
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(directory, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this directory, or not ours to run: the next one may have it.
    }
  }
  return null;
}

/** Only for root on a system with apt: anybody else is told what to install. */
async function aptInstall(name) {
  if (process.platform !== 'linux' || process.getuid() !== 0 || onPath('apt-get') === null) return false;
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-q'], { env, minutes: 3 });
  const args = ['install', '-y', '-q', '--no-install-recommends', name];
  const { code, output } = await run('apt-get', args, { env, minutes: 6 });
  if (code !== 0) process.stderr.write(`apt-get could not install ${name}:\n${output}`);
  return code === 0;
}
