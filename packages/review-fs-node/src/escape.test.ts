import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ReviewError } from '@backstitch/review-core';
import { describe, expect, it } from 'vitest';
import { fileOf, makeSandbox, writeAs } from './sandbox.fixture.ts';
import { detectSystem } from './system.ts';

const TRIES = 2000;
const PLACE = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

/**
 * Swaps `d` for a link to `outside` and back, as fast as it can, until it is killed. Where the victim made a `d` of
 * its own meanwhile, that one is moved aside.
 */
const ATTACKER = `
  const fs = require('node:fs');
  const [root, outside] = process.argv.slice(1);
  process.chdir(root);
  fs.writeSync(1, 'ready');
  const attempt = (act) => { try { act(); } catch {} };
  for (let at = 0; ; at += 1) {
    attempt(() => fs.renameSync('d', fs.existsSync('hidden') ? 'aside' + at : 'hidden'));
    attempt(() => fs.symlinkSync(outside, 'd'));
    attempt(() => fs.unlinkSync('d'));
    attempt(() => fs.renameSync('hidden', 'd'));
  }
`;

describe.runIf(detectSystem().handleWalk)('a parent that is swapped for a link', () => {
  it(`[D8] ${TRIES} writes against an attacker: none lands outside`, async () => {
    const box = makeSandbox(PLACE);
    const outside = path.join(box.dir, 'outside');
    fs.mkdirSync(outside);
    fs.writeFileSync(path.join(outside, 'a.txt'), 'theirs');
    box.put('d/a.txt', '0');
    // No sync: what is raced are the names.
    const calls = { ...detectSystem().calls, fsync: async () => {} };
    const workspace = await box.open({ calls });
    const attacker = spawn(process.execPath, ['-e', ATTACKER, box.root, outside], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(attacker.stdout, 'data');
    let [written, refused] = [0, 0];
    try {
      for (let at = 1; at <= TRIES; at += 1) {
        if (await attempt(() => writeAs(workspace, 'd/a.txt', fileOf(String(at))))) written += 1;
        else refused += 1;
      }
    } finally {
      const exited = once(attacker, 'exit');
      attacker.kill('SIGKILL');
      await exited;
    }
    expect([fs.readdirSync(outside), fs.readFileSync(path.join(outside, 'a.txt'), 'utf8')]).toEqual([
      ['a.txt'],
      'theirs',
    ]);
    // Both happened, or the attack tried nothing.
    expect([written > 0, refused > 0]).toEqual([true, true]);
  }, 120_000);
});

/** Whether it was written; anything but a typed answer fails the test. */
async function attempt(write: () => Promise<unknown>): Promise<boolean> {
  try {
    const result = (await write()) as { published?: unknown };
    return result.published === true;
  } catch (error) {
    if (ReviewError.isInstance(error) || /^not locked/.test((error as Error).message)) return false;
    throw error;
  }
}
