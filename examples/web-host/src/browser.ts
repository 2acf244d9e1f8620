import { existsSync } from 'node:fs';
import type { LaunchOptions } from 'playwright-core';

const CANDIDATES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** An installed Chromium; `CHROME_PATH` names another one. Nothing is downloaded. */
export function launchOptions(): LaunchOptions {
  const path = process.env.CHROME_PATH ?? CANDIDATES.find((candidate) => existsSync(candidate));
  if (path === undefined) {
    throw new Error(
      'No Chromium was found. Install one (on Debian: apt-get install chromium), or set CHROME_PATH.',
    );
  }
  return {
    executablePath: path,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  };
}
