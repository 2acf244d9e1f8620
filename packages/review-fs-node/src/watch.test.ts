import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeDir } from './store-sandbox.fixture.ts';
import { watchPath } from './watch.ts';

/** Calls that come in, one by one. */
function watching(directory: string, file: string): { next(): Promise<void>; count: number; stop(): void } {
  let wake = (): void => {};
  let waiting = 0;
  const state = {
    count: 0,
    stop: watchPath(directory, file, () => {
      state.count += 1;
      waiting += 1;
      wake();
    }),
    async next() {
      while (waiting === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      waiting = 0;
    },
  };
  return state;
}

describe('watch', () => {
  it('tells of what is appended, and calls that come together are one', async () => {
    const directory = makeDir();
    const file = path.join(directory, 'journal');
    fs.writeFileSync(file, '');
    const watched = watching(directory, file);
    for (let n = 0; n < 100; n++) fs.appendFileSync(file, 'x');
    await watched.next();
    expect(watched.count).toBeLessThan(20);
    watched.stop();
  });

  it('goes on where the directory was removed and made again', async () => {
    const directory = path.join(makeDir(), 'd');
    const file = path.join(directory, 'journal');
    fs.mkdirSync(directory);
    fs.writeFileSync(file, '');
    const watched = watching(directory, file);
    for (const round of [1, 2]) {
      fs.rmSync(directory, { recursive: true });
      await watched.next();
      fs.mkdirSync(directory);
      fs.writeFileSync(file, `new ${round}`);
      // Of other files the poll knows nothing: only a watch on the new directory tells of them again and again.
      const enough = watched.count + 6;
      for (let n = 0; watched.count < enough; n++) {
        fs.writeFileSync(path.join(directory, `other ${n}`), '');
        await setTimeout(20);
      }
    }
    watched.stop();
  });

  it('begins before the directory is there', async () => {
    const directory = path.join(makeDir(), 'later');
    const watched = watching(directory, path.join(directory, 'journal'));
    fs.mkdirSync(directory);
    fs.writeFileSync(path.join(directory, 'journal'), 'x');
    await watched.next();
    watched.stop();
  });

  it('is not ended by a listener that throws, and keeps no process alive', () => {
    const directory = makeDir();
    const program = `
      import { watchPath } from ${JSON.stringify(fileURLToPath(new URL('./watch.ts', import.meta.url)))};
      import fs from 'node:fs';
      let calls = 0;
      const alive = setTimeout(() => {}, 20_000);
      process.on('warning', (warning) => console.log(warning.message));
      watchPath(${JSON.stringify(directory)}, ${JSON.stringify(directory)}, () => {
        calls += 1;
        if (calls === 2) clearTimeout(alive);
        else fs.writeFileSync(${JSON.stringify(path.join(directory, 'b'))}, '');
        throw new Error('call ' + calls);
      });
      fs.writeFileSync(${JSON.stringify(path.join(directory, 'a'))}, '');
    `;
    const flags = [
      '--conditions=@backstitch/source',
      '--import',
      'tsx',
      '--input-type=module',
      '-e',
      program,
    ];
    const printed = execFileSync(process.execPath, flags, { encoding: 'utf8', cwd: import.meta.dirname });
    expect(printed.split('\n').filter((line) => line.startsWith('call'))).toEqual(['call 1', 'call 2']);
  });
});
