import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caseText } from '../../test-support/cases.ts';
import { changeWith, stateOf } from '../../test-support/change.ts';
import { check } from '../../test-support/property.ts';
import { checkChange, checkFileState, checkGap, checkHunk, checkHunks, isReadable } from './guard.ts';
import type { ReviewChange, ReviewHunk } from './v1.ts';

const hunk: ReviewHunk = {
  header: '@@ -1,2 +1,2 @@',
  oldStart: 1,
  oldLines: 2,
  newStart: 1,
  newLines: 2,
  lines: [' a', '-b', '\\ No newline at end of file', '+c'],
  runs: ['0'.repeat(32)],
};
const reasonOf = (checked: object): string => ('reason' in checked ? String(checked.reason) : 'readable');

describe('checkChange', () => {
  it('[R1] [R3] takes a lawful record as it is, with what it does not know', () => {
    const record = { ...changeWith({ agent: { name: 'helper', sessionId: 't' } }), later: { kept: [1] } };
    const checked = checkChange(record);
    expect(isReadable(checked) && checked.value).toBe(record);
  });

  it.each<[Partial<Record<keyof ReviewChange, unknown>>, string]>([
    [{ id: 'x' }, 'record.id is not a UUID'],
    [{ sessionId: '' }, 'record.sessionId is not a string with something in it'],
    [{ seq: 0 }, 'record.seq is not a whole number of at least 1'],
    [{ seq: 1.5 }, 'record.seq is not a whole number of at least 1'],
    [{ additions: -1 }, 'record.additions is not a whole number of at least 0'],
    [{ round: { id: 'r' } }, 'record.round.ordinal is missing'],
    [{ round: null }, 'record.round is not an object'],
    [{ createdAt: '2026-13-01T00:00:00Z' }, 'record.createdAt is not a time in UTC'],
    [
      { before: { ...stateOf(new Uint8Array()), digest: 'A'.repeat(64) } },
      'record.before.digest is not a SHA-256',
    ],
    [
      { after: { ...stateOf(new Uint8Array()), mode: 0o10000 } },
      'record.after.mode is not a whole number of at least 0',
    ],
    [{ facets: ['content', 'colour'] }, 'record.facets[1] is not one of the known values'],
    [{ state: 'gone' }, 'record.state is not one of the known values'],
    [{ failed: 0 }, 'record.failed is not true or false'],
    [{ keptRuns: ['x'] }, 'record.keptRuns[0] is not a run id'],
    [{ status: 'added' }, 'record.status is added, but there was something before'],
    [{ before: null, status: 'modified' }, 'record.status is modified, but there was nothing before'],
    [{ status: 'deleted' }, 'record.status is deleted, but before and after say otherwise'],
    [{ reversible: false }, 'record.irreversibleReason does not fit .reversible'],
    [{ irreversibleReason: 'fork' }, 'record.irreversibleReason does not fit .reversible'],
    [{ scope: 'external' }, 'record.reversible is true outside the workspace'],
  ])('refuses %j', (members, reason) => {
    expect(checkChange({ ...changeWith(), ...members })).toEqual({ unreadable: 'damaged', reason });
  });

  it('misses any member that is missing', () => {
    for (const member of Object.keys(changeWith())) {
      const { [member as keyof ReviewChange]: _, ...rest } = changeWith();
      expect(isReadable(checkChange(rest)), member).toBe(false);
    }
  });

  it('tells a record of a newer version from a damaged one, and reads what says that it may be read', () => {
    const newer = { unreadable: 'newer', reason: 'the record was written by a newer version' };
    expect(checkChange({ ...changeWith(), version: 2 })).toEqual(newer);
    expect(checkChange({ version: 7, anything: 'else' })).toEqual(newer);
    expect(checkChange({ ...changeWith(), version: 3, minReader: 2 })).toEqual(newer);
    expect(checkChange({ ...changeWith(), version: 3, minReader: 1, more: true })).toEqual({
      value: { ...changeWith(), minReader: 1, more: true },
    });
    for (const version of [0, '1', null, undefined, 1.5]) {
      expect(checkChange({ ...changeWith(), version })).toMatchObject({ unreadable: 'damaged' });
    }
  });
});

describe('paths of records', () => {
  const readable = (path: string): boolean => isReadable(checkChange(changeWith({ path })));

  it('[C011] [C113] are lawful where a name is lawful on the system that recorded it', () => {
    const names = JSON.parse(caseText('names/names.json')) as { path: string; posix: string; why: string }[];
    for (const { path, posix, why } of names) {
      // How long a name may be, and which of two spellings is the canonical one, is for a workspace to say.
      if (why.startsWith('too long') || why.startsWith('canonicalises')) continue;
      expect(readable(path), path).toBe(posix === 'ok');
    }
  });

  it.each([
    '',
    '.',
    '..',
    '/',
    '/a',
    'a/',
    'a//b',
    './a',
    'a/.',
    'a/..',
    'a/../b',
    '../a',
    'a\0b',
    'a\ud83d',
    '\udc00/a',
  ])('%j is none', (path) => {
    expect(readable(path)).toBe(false);
  });

  it.each(['...', 'a/..b', '..a', 'a/b..', '.a', 'a/.git', 'C:\\a', '\\', ' ', 'a\nb', '🚀/é'])(
    '%j is one',
    (path) => {
      expect(readable(path)).toBe(true);
    },
  );
});

describe('[C016] [C065] the records of the case inputs', () => {
  const map = (file: string): unknown => {
    const text = caseText(`records/${file}`);
    try {
      return { ...changeWith(), ...JSON.parse(text) };
    } catch {
      return text;
    }
  };

  it.each(['good.json', 'path-colon.json', 'path-backslash.json', 'other-session.json'])(
    '%s is readable',
    (file) => {
      expect(reasonOf(checkChange(map(file)))).toBe('readable');
    },
  );

  it.each(['nul-filled.json', 'empty.json', 'cut.json', 'path-dotdot.json'])('%s is not', (file) => {
    expect(checkChange(map(file))).toMatchObject({ unreadable: 'damaged' });
  });
});

describe('checkHunk', () => {
  it('takes a hunk that fits, with what it does not know', () => {
    expect(checkHunk({ ...hunk, more: 1 })).toEqual({ value: { ...hunk, more: 1 } });
    expect(checkHunks([hunk])).toEqual({ value: [hunk] });
  });

  it('[C082] refuses counts that do not fit the lines', () => {
    const [header, ...lines] = caseText('patch-bad-counts/input.patch').trimEnd().split('\n').slice(2);
    const [, oldStart, oldLines, newStart, newLines] = /-(\d+),(\d+) \+(\d+),(\d+)/
      .exec(header!)!
      .map(Number);
    const claimed = {
      header: '@@ -2,9 +2,9 @@',
      oldStart,
      oldLines,
      newStart,
      newLines,
      runs: ['0'.repeat(32)],
    };
    const marked = lines.map((line) => line || ' ');
    expect(checkHunk({ ...claimed, lines: marked })).toEqual({
      unreadable: 'damaged',
      reason: 'hunk.oldLines does not fit its lines',
    });
    expect(checkHunks([hunk, { ...claimed, lines: marked }])).toMatchObject({
      reason: 'hunks[1].oldLines does not fit its lines',
    });
  });

  it.each<[Partial<ReviewHunk>, string]>([
    [{ newLines: 3 }, 'hunk.newLines does not fit its lines'],
    [{ lines: [' a', '-b', '+c\nd'] }, 'hunk.lines[2] is not a line with its mark'],
    [{ lines: [' a', '', '+c'] }, 'hunk.lines[1] is not a line with its mark'],
    [{ lines: ['\\ No newline', ' a', '-b', '+c'] }, 'hunk.lines has a marker that follows no line'],
    [{ lines: [' a', '-b', '\\ x', '\\ x', '+c'] }, 'hunk.lines has a marker that follows no line'],
    [{ lines: [' a', ' b'] }, 'hunk.lines has no change'],
    [{ oldStart: 0 }, 'hunk.oldStart is 0, but the hunk has old lines'],
    [{ newStart: 0 }, 'hunk.newStart is 0, but the hunk has new lines'],
    [{ header: '@@ -1,2 +1,2 @@ tail' }, 'hunk.header does not fit its numbers'],
    [{ runs: [] }, 'hunk.runs does not fit its lines'],
  ])('refuses %j', (members, reason) => {
    expect(checkHunk({ ...hunk, ...members })).toEqual({ unreadable: 'damaged', reason });
  });
});

it('checkGap and checkFileState take what fits', () => {
  const gap = {
    seq: 3,
    sessionId: 's',
    callId: 'c',
    messageId: null,
    toolName: null,
    path: '../outside',
    operation: null,
    reason: 'refused',
    detail: 'it lies outside',
    createdAt: '2026-01-02T03:04:05Z',
  };
  expect(checkGap(gap)).toEqual({ value: gap });
  expect(reasonOf(checkGap({ ...gap, reason: 'other' }))).toBe('gap.reason is not one of the known values');
  expect(reasonOf(checkFileState({ ...stateOf(new Uint8Array()), kind: 'fifo' }))).toBe(
    'state.kind is not one of the known values',
  );
});

it('[D10] never throws, whatever JSON holds', () => {
  check(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      for (const guard of [checkChange, checkHunk, checkHunks, checkGap, checkFileState]) guard(value);
      checkChange({ ...changeWith(), round: value, before: value, facets: value });
      checkHunk({ ...hunk, lines: value });
    }),
    2000,
  );
});
