import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FileIntent } from '@backstitch/review-core';
import { describe, expect, it } from 'vitest';
import { makeSandbox, type Sandbox } from './sandbox.fixture.ts';

const CHILD = fileURLToPath(new URL('./write-child.fixture.ts', import.meta.url));

/** A write in its own process, which kills itself behind `step`. */
async function killedAfter(
  box: Sandbox,
  step: string,
  name: string,
  text: string,
): Promise<FileIntent | null> {
  const args = [
    '--conditions=@backstitch/source',
    '--import',
    'tsx',
    CHILD,
    box.root,
    box.lockDirectory,
    name,
    text,
  ];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, STOP_AFTER: step },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  const [, signal] = await once(child, 'close');
  expect([step, signal]).toEqual([step, 'SIGKILL']);
  return printed === '' ? null : JSON.parse(printed);
}

interface Row {
  step: string;
  path: string;
  before: string | null;
  text: string;
  /** What stands there right after the kill, and after recovery. */
  killed: string | null;
  settled: string | null;
}

const ROWS: Row[] = [
  { step: 'lock', path: 'a.txt', before: 'old', text: 'new', killed: 'old', settled: 'old' },
  { step: 'stage', path: 'a.txt', before: 'old', text: 'new', killed: 'old', settled: 'old' },
  { step: 'write', path: 'a.txt', before: 'old', text: 'new', killed: 'old', settled: 'old' },
  { step: 'publish', path: 'a.txt', before: 'old', text: 'new', killed: 'new', settled: 'new' },
  { step: 'settle', path: 'a.txt', before: 'old', text: 'new', killed: 'new', settled: 'new' },
  { step: 'write', path: 'd/e/a.txt', before: null, text: 'new', killed: null, settled: null },
  { step: 'publish', path: 'd/e/a.txt', before: null, text: 'new', killed: 'new', settled: 'new' },
  { step: 'publish', path: 'a.txt', before: 'old', text: '', killed: null, settled: null },
];

describe('a process that is killed', () => {
  it.each(ROWS)(
    '[D2] behind $step of $path ($before → $text): its lock is taken over, one end is reached',
    async (row) => {
      const box = makeSandbox();
      if (row.before !== null) box.put(row.path, row.before);
      const intent = await killedAfter(box, row.step, row.path, row.text);
      expect(box.text(row.path)).toBe(row.killed);
      const workspace = await box.open();
      if (intent !== null) {
        expect(await workspace.settle(intent)).toMatchObject({
          result: row.settled === row.before ? 'prior' : 'done',
          displaced: null,
        });
      }
      const file = await workspace.lock([row.path]);
      expect(Array.isArray(file)).toBe(true);
      const dirs = row.path.startsWith('d/') && row.settled !== null ? ['d', 'd/e'] : [];
      expect([box.text(row.path), box.names()]).toEqual([
        row.settled,
        row.settled === null ? [] : [...dirs, row.path],
      ]);
    },
    120_000,
  );
});
