import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

const run = promisify(execFile);
const example = (path: string): string => fileURLToPath(new URL(`../../examples/${path}`, import.meta.url));
const WEB = example('web-host/dist/main.js');
const CLI = example('cli-host/dist/main.js');

let browser: Browser;
const ends: (() => Promise<void> | void)[] = [];

beforeAll(async () => {
  const candidates = [process.env.CHROME_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'];
  const executablePath = candidates.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) throw new Error('No Chromium: install one, or set CHROME_PATH.');
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
  ];
  browser = await chromium.launch({
    executablePath,
    args: [...args, '--disable-component-update', '--disable-sync'],
  });
});

afterAll(() => browser.close());

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Serving {
  url: string;
  workspace: string;
  cli(...args: string[]): Promise<{ code: number; json: Record<string, unknown> }>;
}

/** The host on a folder of a person's own, and the other host in processes of its own. */
async function serve(files: Record<string, string>): Promise<Serving> {
  const base = mkdtempSync(join(tmpdir(), 'backstitch-hosts-'));
  ends.push(() => rmSync(base, { recursive: true, force: true }));
  const workspace = join(base, 'work');
  const state = join(base, 'state');
  mkdirSync(workspace);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(workspace, name), content);
  const url = await startWeb('--workspace', workspace, '--state', state);
  const cli: Serving['cli'] = async (...args) => {
    const all = [CLI, '--workspace', workspace, '--state', state, '--json', ...args];
    const { code, stdout } = await run(process.execPath, all).then(
      ({ stdout: out }) => ({ code: 0, stdout: out }),
      (error: { code: number; stdout: string }) => error,
    );
    return { code, json: JSON.parse(stdout) };
  };
  return { url, workspace, cli };
}

async function startWeb(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [WEB, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  ends.push(async () => {
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^Review at\s+(\S+)/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('the host ended before it served its page');
}

async function open(url: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const page = await browser.newPage({ colorScheme });
  ends.push(() => page.close());
  await page.goto(url);
  return page;
}

describe('web-host', () => {
  it('[U1] [U3] does the main job in a real browser and over a restart', async () => {
    const { stdout } = await run(process.execPath, [WEB, '--check']);
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ ok: true, rounds: 3, changes: 16, files: 15 });
  });

  it('[C067] [U10] shows an empty session with what is not covered, then what cli-host does, within two seconds', async () => {
    const { url, workspace, cli } = await serve({ 'a.txt': 'one\ntwo\n' });
    const page = await open(url);
    await page.getByText('No recorded changes in this session.').waitFor();
    await page.getByText('Files that other programs wrote are not covered.').waitFor();

    const edited = await cli('edit', 'a.txt', '--replace', 'two', '--with', 'zwei', '--round', '1');
    await page.getByRole('button', { name: 'Keep: a.txt', exact: true }).waitFor({ timeout: 2000 });

    await cli('begin', '--call', 'c1', 'b.txt', '--round', '1');
    writeFileSync(join(workspace, 'b.txt'), 'by a tool\n');
    await cli('finish', '--call', 'c1');
    await page.getByRole('button', { name: 'Keep: b.txt', exact: true }).waitFor({ timeout: 2000 });

    const { id } = edited.json.change as { id: string };
    expect((await cli('rollback', id)).json).toMatchObject({ status: 'rolledBack' });
    await page.locator('[data-part="review-card"][data-state="rolledBack"]').waitFor({ timeout: 2000 });
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('one\ntwo\n');

    await page.getByRole('button', { name: 'Roll back (deletes the file): b.txt', exact: true }).click();
    await page.locator('[data-part="review-card"][data-state="rolledBack"]').nth(1).waitFor();
    expect(existsSync(join(workspace, 'b.txt'))).toBe(false);
    expect((await cli('list')).json).toMatchObject({
      items: [{ state: 'rolledBack' }, { state: 'rolledBack' }],
    });
  });

  it('lets nobody in without the token, the right host name and its own origin', async () => {
    const { url } = await serve({});
    const { port, hash } = new URL(url);
    const token = new URLSearchParams(hash.slice(1)).get('token')!;
    const knock = (given: string, headers: Record<string, string> = {}): Promise<number> =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/review?token=${given}`, { headers });
        socket.on('open', () => {
          socket.close();
          resolve(101);
        });
        socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
        socket.on('error', reject);
      });
    expect(await knock(token, { Origin: `http://127.0.0.1:${port}` })).toBe(101);
    expect(await knock('wrong-token-wrong-token')).toBe(401);
    expect(await knock('')).toBe(401);
    expect(await knock(`${token.slice(0, -1)}_`)).toBe(401);
    expect(await knock(token, { Origin: 'http://evil.example' })).toBe(403);
    expect(await knock(token, { Host: 'evil.example' })).toBe(403);
    const status = await new Promise((resolve) => {
      get({ host: '127.0.0.1', port, path: '/', headers: { host: 'evil.example' } }, (response) => {
        resolve(response.statusCode);
        response.resume();
      });
    });
    expect(status).toBe(403);
  });

  it('says without a token what to do, and asks for no data', async () => {
    const { url } = await serve({});
    const page = await open(url.replace(/#.*/, ''));
    await page.getByText('This address lacks its token.').waitFor();
  });

  it.each(['light', 'dark'] as const)('has no violation that axe finds, in %s', async (scheme) => {
    const state = mkdtempSync(join(tmpdir(), 'backstitch-axe-'));
    ends.push(() => rmSync(state, { recursive: true, force: true }));
    const page = await open(await startWeb('--state', state), scheme);
    await page.locator('[data-part="review-card"]').first().waitFor();
    const option = page.locator('option', { hasText: /^All rounds/ });
    await page.getByLabel('Round', { exact: true }).selectOption({ label: (await option.textContent())! });
    await page.getByText('src/slug.js').first().waitFor();
    // The page's policy lets no foreign script in; the browser's own door does.
    await page.evaluate(axe.source);
    const violations = await page.evaluate(async () => {
      const own = globalThis as unknown as { axe: { run(): Promise<{ violations: unknown[] }> } };
      return (await own.axe.run()).violations;
    });
    expect(violations).toEqual([]);
  });
});
