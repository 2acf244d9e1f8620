/**
 * Makes the picture of the panel that the README shows: the web host on its sample, one change kept, one rolled
 * back, one in conflict. Run it after a build: `node tooling/scripts/screenshot.mjs`.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { meet } from './lib/needs.mjs';
import { root } from './lib/paths.mjs';

const host = join(root, 'examples', 'web-host');
const { chromium } = createRequire(join(host, 'package.json'))('playwright-core');
const target = join(root, 'docs', 'images', 'panel.png');
const state = mkdtempSync(join(tmpdir(), 'backstitch-shot-'));
const { env, missing } = await meet('chromium');
if (missing !== undefined) throw new Error(missing);

const child = spawn(process.execPath, [join(host, 'dist', 'main.js'), '--state', state], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const browser = await chromium.launch({
  executablePath: env?.CHROME_PATH ?? process.env.CHROME_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1040, height: 780 }, deviceScaleFactor: 1.5 });
  await page.goto(await addressOf(child.stdout));
  await press(page, 'Keep: src/find.js');
  await press(page, 'Roll back: README.md');
  writeFileSync(join(state, 'workspace', 'package.json'), '{ "name": "mine" }\n');
  await press(page, 'Roll back: package.json');
  await page.getByText('package.json was changed after this edit').first().waitFor();
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    document.activeElement?.blur();
    scrollTo(0, 0);
  });
  mkdirSync(dirname(target), { recursive: true });
  await page.screenshot({ path: target });
} finally {
  await browser.close();
  child.kill('SIGTERM');
  rmSync(state, { recursive: true, force: true });
}

async function press(page, name) {
  await page.getByRole('button', { name, exact: true }).click();
}

async function addressOf(output) {
  for await (const line of createInterface({ input: output })) {
    const url = /^Review at\s+(\S+)/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('The host ended before it served its page.');
}
