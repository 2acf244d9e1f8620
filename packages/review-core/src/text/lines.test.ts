import fc from 'fast-check';
import { expect, it } from 'vitest';
import { check, pairs } from '../../test-support/property.ts';
import { countLines, differingWindow, splitLines } from './lines.ts';

it('only LF ends a line, and stays with it', () => {
  expect(splitLines('')).toEqual([]);
  expect(splitLines('\n')).toEqual(['\n']);
  expect(splitLines('a\r\nb\rc\u2028d\ne')).toEqual(['a\r\n', 'b\rc\u2028d\n', 'e']);
});

it('cuts equal heads and tails off on whole lines, and leaves the asked context', () => {
  expect(differingWindow('a\nb\nX\nc\nd\n', 'a\nb\nY\nc\nd\n', 1)).toEqual({
    skipped: 1,
    before: ['b\n', 'X\n', 'c\n'],
    after: ['b\n', 'Y\n', 'c\n'],
  });
  expect(differingWindow('ab\n', 'aab\n', 0)).toEqual({ skipped: 0, before: ['ab\n'], after: ['aab\n'] });
  expect(differingWindow('a\n', 'a\na\n', 0)).toEqual({ skipped: 1, before: [], after: ['a\n'] });
  expect(differingWindow('x\nend', 'end', 0)).toEqual({ skipped: 0, before: ['x\n'], after: [] });
  expect(differingWindow('\n\n', '\n', 5)).toEqual({ skipped: 0, before: ['\n', '\n'], after: ['\n'] });
});

it('cuts nothing but equal lines', () => {
  check(
    fc.property(pairs, fc.nat(6), ([before, after], context) => {
      const window = differingWindow(before, after, context);
      const head = splitLines(before).slice(0, window.skipped);
      expect(splitLines(after).slice(0, window.skipped)).toEqual(head);
      const tail = splitLines(before).slice(window.skipped + window.before.length);
      expect([...head, ...window.before, ...tail].join('')).toBe(before);
      expect([...head, ...window.after, ...tail].join('')).toBe(after);
    }),
    2000,
  );
});

it('counts the lines in front of a place', () => {
  expect(countLines('a\nb\nc', 0)).toBe(0);
  expect(countLines('a\nb\nc', 2)).toBe(1);
  expect(countLines('a\nb\nc', 5)).toBe(2);
});
