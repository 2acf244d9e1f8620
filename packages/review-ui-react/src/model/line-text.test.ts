import { describe, expect, it } from 'vitest';
import { columnsOf, cutLine, MAX_LINE, piecesOf } from './line-text.ts';

describe('characters that can not be seen or that mislead', () => {
  it('leaves plain text, tabs, accents and other scripts alone', () => {
    for (const text of ['', 'a\tb', 'déjà', '日本語', 'שלום', '🚀']) {
      expect(piecesOf(text)).toEqual(text === '' ? [] : [text]);
    }
  });

  it.each([
    ['\u202E', 'bidi', 'U+202E'],
    ['\u2066', 'bidi', 'U+2066'],
    ['\u061C', 'bidi', 'U+061C'],
    ['\u200B', 'invisible', 'U+200B'],
    ['\u200D', 'invisible', 'U+200D'],
    ['\uFEFF', 'invisible', 'U+FEFF'],
    ['\u{E0041}', 'invisible', 'U+E0041'],
    ['\u2028', 'invisible', 'U+2028'],
    ['\u001B', 'control', 'U+001B'],
    ['\u0000', 'control', 'U+0000'],
    ['\u0085', 'control', 'U+0085'],
    ['\uD83D', 'surrogate', 'U+D83D'],
  ])('names %j as %s', (char, token, text) => {
    expect(piecesOf(`a${char}b`)).toEqual(['a', { token, text }, 'b']);
  });

  it('[C074] shows a carriage return as a mark, wherever it stands in the line', () => {
    const mark = { token: 'carriageReturn', text: '␍' };
    expect(piecesOf('a\rb\r')).toEqual(['a', mark, 'b', mark]);
  });

  it('leaves the joiner inside one picture, and names one that joins nothing', () => {
    expect(piecesOf('👩\u200D💻')).toEqual(['👩\u200D💻']);
    expect(piecesOf('👩🏽\u200D💻')).toEqual(['👩🏽\u200D💻']);
    expect(piecesOf('x\u200D💻')).toEqual(['x', { token: 'invisible', text: 'U+200D' }, '💻']);
  });
});

describe('long lines', () => {
  it('keeps a line of just the bound whole', () => {
    const line = 'x'.repeat(MAX_LINE);
    expect(cutLine(line)).toEqual({ text: line, total: null, shown: MAX_LINE });
  });

  it('[C055] cuts between characters, never inside one', () => {
    const cut = cutLine(`${'x'.repeat(79)}🚀 and more`, 80);
    expect(cut).toEqual({ text: `${'x'.repeat(79)}🚀`, total: 89, shown: 80 });
    expect(cut.text).not.toMatch(/\p{Surrogate}/u);
  });

  it('does not cut a line that only takes more units than characters', () => {
    expect(cutLine('🚀🚀🚀', 4).total).toBeNull();
  });

  it('counts the columns that a line takes', () => {
    expect(columnsOf('\tab', 4)).toBe(6);
    expect(columnsOf('日本', 4)).toBe(4);
    expect(columnsOf('x'.repeat(5000), 4)).toBe(MAX_LINE);
  });
});
