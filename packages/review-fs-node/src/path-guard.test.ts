import fs from 'node:fs';
import path from 'node:path';
import { isRefused } from '@backstitch/review-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkName, isWorkingName, newWorkingName } from './names.ts';
import { type GuardOptions, placeOf, type Root } from './path-guard.ts';
import { fileOf, makeSandbox, writeAs } from './sandbox.fixture.ts';

interface NameCase {
  path: string;
  posix: 'ok' | 'refuse';
  windows: 'ok' | 'refuse';
  why: string;
}

const NAMES: NameCase[] = JSON.parse(
  fs.readFileSync(new URL('../../../test/cases/names/names.json', import.meta.url), 'utf8'),
);

function guard(root: string, rules: 'posix' | 'win32', more: Partial<GuardOptions> = {}): GuardOptions {
  return { roots: [rootAt(root, rules)], rules, foldsCase: rules === 'win32', ...more };
}

function rootAt(root: string, rules: 'posix' | 'win32', scope: Root['scope'] = 'workspace'): Root {
  const segments = root.split(rules === 'win32' ? /[\\/]/ : '/').filter((name) => name !== '');
  return { root, scope, dev: 1n, ino: 1n, spellings: [segments] };
}

function outcome(given: string, options: GuardOptions): string {
  const place = placeOf(given, options);
  return isRefused(place) ? place.refused : `${place.scope} ${place.root} ${place.path}`;
}

describe('the names list', () => {
  it.each(NAMES)('[C113] $why: $posix on POSIX, $windows on Windows', ({ path: given, posix, windows }) => {
    expect(isRefused(placeOf(given, guard('/w/app', 'posix')))).toBe(posix === 'refuse');
    expect(isRefused(placeOf(given, guard('C:\\w\\app', 'win32')))).toBe(windows === 'refuse');
  });

  it.each(NAMES.filter(({ posix }) => posix === 'ok'))(
    '[C113] $why: a real file, written, replaced and removed',
    async ({ path: given }) => {
      const box = makeSandbox();
      const workspace = await box.open();
      const canonical = given === 'a/./b.txt' ? 'a/b.txt' : given;
      const located = await workspace.locate(given);
      expect(located).toMatchObject({ path: canonical, absolutePath: path.join(box.root, canonical) });
      for (const text of ['one', 'two']) {
        expect(await writeAs(workspace, given, fileOf(text))).toMatchObject({ published: true });
        expect(fs.readFileSync(path.join(box.root, canonical), 'utf8')).toBe(text);
      }
      expect(await writeAs(workspace, given, { at: 'absent' })).toMatchObject({ published: true });
      expect(box.names().filter((name) => !canonical.startsWith(`${name}/`))).toEqual([]);
    },
  );

  it.each(NAMES.filter(({ posix }) => posix === 'refuse'))(
    '[C113] $why: nothing is made',
    async ({ path: given }) => {
      const box = makeSandbox();
      const workspace = await box.open();
      for (const answer of [
        await workspace.locate(given),
        await workspace.read(given),
        await workspace.lock([given]),
      ]) {
        expect(answer).toMatchObject({ refused: expect.any(String), path: given });
      }
      expect([box.names(), fs.readdirSync(box.dir).sort()]).toEqual([[], ['locks', 'root']]);
    },
  );

  it.runIf(process.platform === 'linux')(
    '[C113] [C097] 240 to 255 bytes leave room for working names',
    async () => {
      const box = makeSandbox();
      const workspace = await box.open();
      for (let length = 240; length <= 255; length += 1) {
        const name = 'ü'.repeat(length >> 1) + 'n'.repeat(length & 1);
        expect(Buffer.byteLength(name)).toBe(length);
        await writeAs(workspace, name, fileOf('one'));
        await writeAs(workspace, name, fileOf('two'));
        expect(box.text(name)).toBe('two');
      }
      expect(box.names()).toHaveLength(16);
    },
  );
});

describe('spellings', () => {
  const posix = guard('/w/app', 'posix');

  it.each<[string, string]>([
    ['a/b', 'workspace /w/app a/b'],
    ['./a/./b', 'workspace /w/app a/b'],
    ['a//b', 'workspace /w/app a/b'],
    ['/w/app/a/b', 'workspace /w/app a/b'],
    ['//w//app/./a', 'workspace /w/app a'],
    ['~/a', 'workspace /w/app ~/a'],
    ['.gitignore', 'workspace /w/app .gitignore'],
    ['', 'invalidName'],
    ['a\0b', 'invalidName'],
    ['a/', 'invalidName'],
    ['a/.', 'invalidName'],
    ['.', 'rootItself'],
    ['./', 'rootItself'],
    ['/w/app', 'rootItself'],
    ['/w/app/', 'rootItself'],
    ['..', 'outsideRoot'],
    ['a/..', 'outsideRoot'],
    ['a/../b', 'outsideRoot'],
    ['/w/app/../x', 'outsideRoot'],
    ['/w/app-other/x', 'outsideRoot'],
    ['/w/ap', 'outsideRoot'],
    ['/W/app/x', 'outsideRoot'],
    ['/', 'outsideRoot'],
    ['.git', 'denied'],
    ['.git/config', 'denied'],
    ['a/.GIT/hooks/x', 'denied'],
    ['a/.g\u200cit/x', 'denied'],
    ['.git./x', 'denied'],
    ['GIT~1/x', 'denied'],
    ['\ud800', 'notUtf8'],
    [`a/${'x'.repeat(256)}`, 'nameTooLong'],
    ['ü'.repeat(128), 'nameTooLong'],
  ])('[C035] %j → %s', (given, expected) => {
    expect(outcome(given, posix)).toBe(expected);
  });

  it.each<[string, string]>([
    ['C:\\w\\app\\d\\a.txt', 'workspace C:\\w\\app d/a.txt'],
    ['c:/W/APP/d/a.txt', 'workspace C:\\w\\app d/a.txt'],
    ['d/a.txt', 'workspace C:\\w\\app d/a.txt'],
    ['C:\\w\\app-other\\a', 'outsideRoot'],
    ['D:\\w\\app\\a', 'outsideRoot'],
    ['C:a.txt', 'outsideRoot'],
    ['\\\\server\\share\\a', 'outsideRoot'],
    ['\\\\?\\C:\\w\\app\\a', 'outsideRoot'],
    ['d\\a.txt', 'invalidName'],
    ['con', 'reservedName'],
    ['d/com1.txt/x', 'reservedName'],
    ['LPT¹', 'reservedName'],
    ['nul .txt', 'reservedName'],
    ['a:stream', 'outsideRoot'],
    ['name:stream', 'invalidName'],
    ['a.', 'invalidName'],
  ])('on Windows, %j → %s', (given, expected) => {
    expect(outcome(given, guard('C:\\w\\app', 'win32'))).toBe(expected);
  });

  it('[C3] the longest root that holds a path decides its scope', () => {
    const roots = [
      rootAt('/w/app', 'posix'),
      rootAt('/w/app/tmp', 'posix', 'scratch'),
      rootAt('/etc/app', 'posix', 'external'),
      rootAt('/w', 'posix', 'external'),
    ];
    const options = guard('/w/app', 'posix', { roots });
    expect(
      ['a', 'tmp/a', 'tmpx/a', '/etc/app/a', '/w/b', 'tmp', '/etc/b'].map((given) => outcome(given, options)),
    ).toEqual([
      'workspace /w/app a',
      'scratch /w/app/tmp a',
      'workspace /w/app tmpx/a',
      'external /etc/app a',
      'external /w b',
      'rootItself',
      'outsideRoot',
    ]);
  });

  it('[D8] whatever is accepted is canonical, and lies below the root by its segments', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '',
        '.',
        '..',
        '...',
        '.git',
        'a',
        'a ',
        'w',
        'app',
        '\\',
        ':',
        '~',
        '\0',
        '\ud800',
        '%2e%2e',
      ),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    );
    const spelling = fc.tuple(
      fc.constantFrom('', '/', '/w/app', '/w/app/', '//'),
      fc.array(part, { maxLength: 6 }),
    );
    fc.assert(
      fc.property(spelling, ([start, parts]) => {
        const place = placeOf(start + parts.join('/'), posix);
        if (isRefused(place)) return place.message.length > 0;
        expect(place.absolutePath).toBe(`/w/app/${place.path}`);
        expect(path.posix.normalize(place.absolutePath)).toBe(place.absolutePath);
        expect(place.segments.every((name) => checkName(name, 'posix') === null)).toBe(true);
        expect(placeOf(place.path, posix)).toEqual(place);
        expect(placeOf(place.absolutePath, posix)).toEqual(place);
        return true;
      }),
      { numRuns: 5000 },
    );
  });

  it('chooses working names that recovery takes back, and no others', () => {
    const name = newWorkingName();
    expect(name).toMatch(/^\.bks-[0-9a-f]{32}~$/);
    expect(isWorkingName(name, 'posix')).toBe(true);
    for (const other of ['a.txt', '.bashrc', 'backup~', '', '..', '.a/b~', '.git~', `.${'x'.repeat(64)}~`]) {
      expect([other, isWorkingName(other, 'posix')]).toEqual([other, other === '.git~']);
    }
  });
});
