import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fileOf, makeSandbox, writeAs } from './sandbox.fixture.ts';

/** In a process of its own, as a development server is: there it looks between any two calls of ours. */
const SERVER = `
  import { watch } from 'chokidar';
  const watcher = watch('.', { cwd: process.argv[1], ignoreInitial: true });
  watcher.on('all', (event, name) => console.log(event + ' ' + name));
  watcher.on('ready', () => console.log('ready'));
`;

describe('a development server', () => {
  it('sees ten restores of ten through chokidar, and no working file', async () => {
    const box = makeSandbox();
    const names = Array.from({ length: 10 }, (_, at) => `d${at}/a.txt`);
    for (const name of names) box.put(name, 'old');
    const workspace = await box.open();
    const args = ['--input-type=module', '-e', SERVER, box.root];
    const server = spawn(process.execPath, args, {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    const output = readline.createInterface({ input: server.stdout }).on('line', (line) => lines.push(line));
    const printed = async (line: string) => {
      while (!lines.includes(line)) await once(output, 'line');
    };
    try {
      await printed('ready');
      for (const name of names) {
        await writeAs(workspace, name, fileOf('new'));
        await printed(`change ${name}`);
      }
    } finally {
      server.kill();
    }
    expect([...new Set(lines)]).toEqual(['ready', ...names.map((name) => `change ${name}`)]);
  });

  it('sees a restore through fs.watch on the directory', async () => {
    const box = makeSandbox();
    box.put('a.txt', 'old');
    const workspace = await box.open();
    const watcher = fs.watch(box.root);
    try {
      const seen = new Promise<void>((done) => {
        watcher.on('change', (_event, name) => name === 'a.txt' && done());
      });
      await writeAs(workspace, 'a.txt', fileOf('new'));
      await seen;
    } finally {
      watcher.close();
    }
  });
});
