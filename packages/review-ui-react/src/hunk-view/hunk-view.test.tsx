import type { ReviewHunk } from '@backstitch/review-core';
import { screen, within } from '@testing-library/react';
import { createRef } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFakeHost } from '../testing/fake-client.ts';
import { announced, renderReview, settle } from '../testing/render.tsx';
import { hunksOf } from '../testing/sample-change.ts';
import { HunkView } from './hunk-view.tsx';

afterEach(() => vi.restoreAllMocks());

async function show(hunks: ReviewHunk[]) {
  return renderReview(createFakeHost([]), <HunkView hunks={hunks} path="src/a.ts" />);
}

function cells(row: HTMLElement): string[] {
  return within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent ?? '');
}

describe('a diff as a table', () => {
  it('has real rows and cells, counted and indexed', async () => {
    await show(hunksOf('one\ntwo\nthree\n', 'one\n2\nthree\n'));
    const table = screen.getByRole('table', { name: 'Diff of src/a.ts' });
    const rows = within(table).getAllByRole('row');
    expect(table.getAttribute('aria-rowcount')).toBe('6');
    expect(rows.map((row) => row.getAttribute('aria-rowindex'))).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(within(table).getAllByRole('columnheader')).toHaveLength(4);
    expect(cells(rows[1]!)).toEqual(['@@ -1,3 +1,3 @@']);
    expect(rows.slice(2).map(cells)).toEqual([
      ['1', '1', '', 'one'],
      ['2', '', '−', 'two'],
      ['', '2', '+', '2'],
      ['3', '3', '', 'three'],
    ]);
    expect(within(rows[3]!).getByRole('cell', { name: 'removed' })).toBeTruthy();
    expect(within(rows[4]!).getByRole('cell', { name: 'added' })).toBeTruthy();
  });

  it('draws the rows in view only, of a file of 4,000 lines', async () => {
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(480);
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
    const text = Array.from({ length: 4000 }, (_, index) => `line ${index}\n`).join('');
    const { container } = await show(hunksOf(null, text));
    const table = screen.getByRole('table');
    expect(table.getAttribute('aria-rowcount')).toBe('4002');
    const rows = within(table).getAllByRole('row');
    expect(rows.length).toBeGreaterThan(20);
    expect(container.querySelectorAll('[data-part="review-hunks"] *').length).toBeLessThan(200);
    expect(rows.at(-1)!.getAttribute('aria-rowindex')).toBe(String(rows.length));
  });

  it('[C040] shows tags in lines and headers as text', async () => {
    const html = '<img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script>';
    const hunk = { ...hunksOf('a\n', `${html}\n`)[0]!, header: `@@ -1 +1 @@ ${html}` };
    const { container } = await show([hunk]);
    expect(container.querySelector('img, script')).toBeNull();
    expect(screen.getByRole('table').textContent).toContain(html);
    expect((globalThis as { hit?: number }).hit).toBeUndefined();
  });

  it('names characters that mislead', async () => {
    const { container } = await show(hunksOf('a\n', 'if (user\u202E)\r\n'));
    const tokens = [...container.querySelectorAll('[data-part="review-token"]')];
    expect(tokens.map((token) => [token.textContent, token.getAttribute('data-token')])).toEqual([
      ['U+202E', 'bidi'],
      ['␍', 'carriageReturn'],
    ]);
    expect(container.innerHTML).not.toContain('\u202E');
  });

  it('[C071] says on which side the final newline is missing', async () => {
    const { container } = await show(hunksOf('a\nb', 'a\nb\n'));
    const marker = container.querySelector('[data-kind="noNewline"]')!;
    expect(marker.getAttribute('data-side')).toBe('before');
    expect(marker.textContent).toBe('No newline at end of file (before)');
    expect(marker.previousElementSibling!.getAttribute('data-kind')).toBe('deleted');
  });

  it('[C092] cuts an enormous line, says so, and copies all of it', async () => {
    const line = `${'x'.repeat(999)}🚀${'y'.repeat(200_000)}`;
    const { container, user } = await show(hunksOf(null, `${line}\n`));
    const shown = container.querySelector('[data-part="review-line"]')!;
    expect(shown.textContent).toContain('Line cut: 1,000 of 201,000 characters shown.');
    expect(shown.textContent!.length).toBeLessThan(1100);
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.click(screen.getByRole('button', { name: 'Copy line' }));
    expect(write).toHaveBeenCalledExactlyOnceWith(line);
    await settle();
    expect(announced()).toBe('Line copied');
  });

  it('[C082] tells that one hunk can not be shown, and shows the rest', async () => {
    const [good] = hunksOf('a\n', 'b\n');
    await show([good!, { ...good!, oldStart: 9, newStart: 9, oldLines: 4 }]);
    expect(
      screen.getByText('Diff not available: the recorded line counts do not fit the recorded lines.'),
    ).toBeTruthy();
    expect(screen.getByRole('cell', { name: 'b' })).toBeTruthy();
  });

  it('passes props and the ref on to its element', async () => {
    const ref = createRef<HTMLDivElement>();
    const part = (
      <HunkView
        ref={ref}
        hunks={[]}
        path="a"
        className="mine"
        id="diff"
        data-x="1"
        style={{ color: 'red' }}
      />
    );
    await renderReview(createFakeHost([]), part);
    expect(ref.current).toMatchObject({ id: 'diff', className: 'mine' });
    expect(ref.current!.dataset.x).toBe('1');
    expect(ref.current!.style.color).toBe('red');
  });
});
