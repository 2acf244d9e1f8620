import { describe, expect, it } from 'vitest';
import { ReviewPanel } from '../review-panel/review-panel.tsx';
import { createFakeHost } from '../testing/fake-client.ts';
import { announced, renderReview, settle } from '../testing/render.tsx';
import { sampleChange } from '../testing/sample-change.ts';
import { englishLabels } from './english.ts';
import { mergeLabels } from './merge.ts';
import type { PartialLabels } from './types.ts';
import { createLabelWriter } from './writer.ts';

describe('writing labels', () => {
  const writer = createLabelWriter(mergeLabels({ locale: 'de' }));

  it('writes numbers and dates as the locale does', () => {
    expect(writer.text('{count} Zeilen', { count: 12345 })).toBe('12.345 Zeilen');
    expect(writer.dateTime('2026-03-04T05:06:07Z')).toContain('04.03.2026');
    expect(writer.dateTime('not a date')).toBe('not a date');
  });

  it('puts values in as they are, and never reads them as labels', () => {
    expect(writer.text('{a} {b}', { a: '{b}', b: '$&<b>' })).toBe('{b} $&<b>');
    expect(writer.text('{toString} {missing}', {})).toBe('{toString} {missing}');
  });

  it('picks the plural form of the locale', () => {
    const polish = createLabelWriter(mergeLabels({ locale: 'pl' }));
    const forms = {
      one: '{count} plik',
      few: '{count} pliki',
      many: '{count} plików',
      other: '{count} pliku',
    };
    expect([1, 3, 5, 22].map((count) => polish.plural(forms, count))).toEqual([
      '1 plik',
      '3 pliki',
      '5 plików',
      '22 pliki',
    ]);
  });

  it('shows a word that this version does not know as it came', () => {
    expect(writer.word(englishLabels.state, 'archived')).toBe('archived');
    expect(writer.word(englishLabels.state, 'toString')).toBe('toString');
  });
});

describe('overriding labels', () => {
  it('takes what is left out from the default, at any depth', () => {
    const labels = mergeLabels({ action: { keep: 'Behalten' } });
    expect(labels.action.keep).toBe('Behalten');
    expect(labels.action.rollback).toBe('Roll back');
    expect(mergeLabels(undefined)).toBe(englishLabels);
  });

  it('leaves no English behind where all are given', async () => {
    const host = createFakeHost([
      sampleChange({
        seq: 1,
        path: '1',
        toolName: '2',
        agent: { name: '3', sessionId: 's' },
        failed: true,
        coverage: 'partial',
      }),
      sampleChange({
        seq: 2,
        path: '4',
        toolName: '2',
        reversible: false,
        irreversibleReason: 'fork',
        scope: 'external',
      }),
      sampleChange({
        seq: 3,
        path: '1',
        toolName: '2',
        state: 'rolledBack',
        evidence: 'binary',
        additions: null,
      }),
      sampleChange({
        seq: 4,
        path: '5',
        toolName: '2',
        before: null,
        status: 'added',
        facets: ['bom', 'lineEndings', 'finalNewline'],
      }),
    ]);
    host.unreadable = [{ unreadable: 'damaged', id: null, seq: null, sessionId: 's1', reason: '6' }];
    host.gaps = [
      {
        seq: 1,
        sessionId: 's1',
        callId: 'c',
        messageId: null,
        toolName: '2',
        path: null,
        operation: 'edit',
        reason: 'refused',
        detail: '7',
        createdAt: '',
      },
    ];
    host.outcomes.push({ status: 'conflict', reason: 'laterChange', laterChange: host.changes[3]!.id });
    const { container, user } = await renderReview(
      host,
      <ReviewPanel defaultRound={{ round: 'all' }} />,
      foreign(englishLabels),
    );
    await user.click(container.querySelectorAll('[data-action="rollback"]')[0]!);
    await settle();
    for (const time of container.querySelectorAll('time')) time.remove();
    for (const line of container.querySelectorAll('[data-part="review-line"]')) line.textContent = '';
    expect(words(container)).toEqual([]);
    expect(container.querySelector('[data-part="review-notice"]')).not.toBeNull();
    expect(announced()).toContain('Ж');
  });
});

/** Every label in another script, its braces kept. */
function foreign(labels: object): PartialLabels {
  const entries = Object.entries(labels).map(([key, value]) => [
    key,
    typeof value === 'object' ? foreign(value) : translate(key, value),
  ]);
  return Object.fromEntries(entries);
}

function translate(key: string, text: string): string {
  return key === 'locale' ? 'en' : `Ж${(text.match(/\{\w+\}/g) ?? []).join(' ')}`;
}

/** Latin words in what is shown or spoken. */
function words(container: HTMLElement): string[] {
  const spoken = [...container.querySelectorAll('*')].flatMap((element) =>
    ['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? ''),
  );
  return [container.textContent ?? '', ...spoken].flatMap((text) => text.match(/[A-Za-z]{2,}/g) ?? []);
}
