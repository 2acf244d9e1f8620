import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
// @boundaries-ignore a fixture of the private end-to-end tests
import type { Folder, OpenHost } from '../e2e/host.fixture.ts';
// @boundaries-ignore a fixture of the private end-to-end tests
import { makeFolder, openHost, SESSION, undo } from '../e2e/host.fixture.ts';
import type { Point } from './strace.ts';
import { killAt, runVictim, tracePoints } from './strace.ts';

/** One operation: what comes before it, and what must hold after it was killed. */
interface Sweep {
  operation: string;
  files: Record<string, string>;
  /** Operations in processes of their own; the id of the first one's change is handed on. */
  before: string[];
  /** What a tool does by itself, before the operation. */
  tool?: (folder: Folder) => void;
  verify(host: OpenHost, folder: Folder, id: string): Promise<void>;
}

/** Two victims at a time: each has a folder of its own, put back to how it was before each kill. */
const WORKERS = 2;

const counts: Record<string, number> = {};

afterAll(() => {
  const points = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.info(`[D2] kill points swept: ${points} ${JSON.stringify(counts)}`);
});

const text = (folder: Folder, name: string): string | null =>
  existsSync(folder.path(name)) ? readFileSync(folder.path(name), 'utf8') : null;

interface Stage {
  folder: Folder;
  id: string;
  reset(): void;
}

async function stage(sweep: Sweep): Promise<Stage> {
  const folder = makeFolder(sweep.files);
  const ids: string[] = [];
  for (const operation of sweep.before) {
    const ended = await runVictim(operation, folder.base);
    if (ended.code !== 0) throw new Error(`${operation} failed: ${ended.stderr}`);
    ids.push(JSON.parse(ended.stdout).id ?? '');
  }
  sweep.tool?.(folder);
  const template = `${folder.base}.template`;
  cpSync(folder.base, template, { recursive: true, preserveTimestamps: true });
  const reset = (): void => {
    rmSync(folder.base, { recursive: true });
    cpSync(template, folder.base, { recursive: true, preserveTimestamps: true });
  };
  const remove = (): void => {
    rmSync(folder.base, { recursive: true, force: true });
    rmSync(template, { recursive: true, force: true });
  };
  return { folder: { ...folder, remove }, id: ids[0] ?? '', reset };
}

async function states(host: OpenHost): Promise<string[]> {
  const { items } = await host.service.list({ sessionId: SESSION });
  return items.map((item) => ('state' in item ? item.state : `unreadable: ${item.reason}`));
}

/** A capture was recorded or it was not; what is on disk says which, and what is recorded can be taken back. */
function captured(
  name: string,
  before: string | null,
  after: string | null,
  litter: string[],
): Sweep['verify'] {
  return async (host, folder) => {
    const now = text(folder, name);
    expect([before, after]).toContain(now);
    expect(await states(host)).toEqual(now === before ? [] : ['active']);
    if (now === before) return;
    const { items } = await host.service.list({ sessionId: SESSION });
    expect((await undo(host, items[0]!.id!)).status).toBe('rolledBack');
    expect(text(folder, name)).toBe(before);
    expect(folder.names()).toEqual(litter);
  };
}

/** A rollback was carried out or it was not, and in either case it can be asked for again. */
function undone(name: string, before: string | null, after: string | null): Sweep['verify'] {
  return async (host, folder, id) => {
    const now = text(folder, name);
    expect([before, after]).toContain(now);
    expect(await states(host)).toEqual([now === before ? 'rolledBack' : 'active']);
    expect(['rolledBack', 'alreadyRolledBack']).toContain((await undo(host, id)).status);
    expect(text(folder, name)).toBe(before);
  };
}

const sweeps: Record<string, Sweep> = {
  'capture of a modify': {
    operation: 'modify',
    files: { 'a.txt': 'old\n' },
    before: [],
    verify: captured('a.txt', 'old\n', 'new\n', ['a.txt']),
  },
  'capture of a create with its folders': {
    operation: 'create',
    files: {},
    before: [],
    verify: captured('made/by/a.txt', null, 'new\n', []),
  },
  'capture of a delete': {
    operation: 'remove',
    files: { 'a.txt': 'old\n' },
    before: [],
    verify: captured('a.txt', 'old\n', null, ['a.txt']),
  },
  'rollback of a modify': {
    operation: 'rollback',
    files: { 'a.txt': 'old\n' },
    before: ['modify'],
    verify: undone('a.txt', 'old\n', 'new\n'),
  },
  'rollback of a create': {
    operation: 'rollback',
    files: {},
    before: ['create'],
    verify: undone('made/by/a.txt', null, 'new\n'),
  },
  'rollback of a delete': {
    operation: 'rollback',
    files: { 'a.txt': 'old\n' },
    before: ['remove'],
    verify: undone('a.txt', 'old\n', null),
  },
  'finish of a hook': {
    operation: 'finish',
    files: { 'a.txt': 'old\n' },
    before: ['begin'],
    tool: (folder) => folder.put('a.txt', 'tool\n'),
    async verify(host, folder) {
      expect(text(folder, 'a.txt')).toBe('tool\n');
      const { changes } = await host.service.finish({ sessionId: SESSION, callId: 'hook' });
      expect(changes.map((change) => change.state)).toEqual(['active']);
      expect((await undo(host, changes[0]!.id)).status).toBe('rolledBack');
      expect(text(folder, 'a.txt')).toBe('old\n');
    },
  },
  keep: {
    operation: 'keep',
    files: { 'a.txt': 'old\n' },
    before: ['modify'],
    async verify(host, folder, id) {
      expect(text(folder, 'a.txt')).toBe('new\n');
      const [state] = await states(host);
      expect(['active', 'kept']).toContain(state);
      expect((await undo(host, id)).status).toBe('rolledBack');
    },
  },
};

async function killAndLook(
  name: string,
  sweep: Sweep,
  { folder, id, reset }: Stage,
  point: Point,
): Promise<boolean> {
  reset();
  const ended = await killAt(point, sweep.operation, folder.base, id);
  const host = await openHost(folder);
  try {
    await sweep.verify(host, folder, id);
    expect(folder.names().filter((each) => each.endsWith('~'))).toEqual([]);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${name}, killed at ${point.call} ${point.ordinal}: ${why}`, { cause: error });
  } finally {
    await host.close();
  }
  return ended.code !== 0;
}

describe('[D2] SIGKILL at every mutating system call', () => {
  it.each(Object.entries(sweeps))(
    '%s: old or new bytes, a readable store, no litter',
    async (name, sweep) => {
      const stages = await Promise.all(Array.from({ length: WORKERS }, () => stage(sweep)));
      try {
        const first = stages[0]!;
        const points = await tracePoints(sweep.operation, first.folder.base, first.id);
        expect(points.length).toBeGreaterThan(5);
        const todo = [...points];
        let killed = 0;
        await Promise.all(
          stages.map(async (each) => {
            for (let point = todo.shift(); point !== undefined; point = todo.shift()) {
              if (await killAndLook(name, sweep, each, point)) killed++;
            }
          }),
        );
        counts[name] = killed;
        // A point behind the operation's answer kills nobody.
        expect(killed).toBeGreaterThan(points.length / 2);
      } finally {
        for (const { folder } of stages) folder.remove();
      }
    },
  );
});
