import type { PluralText, ReviewLabels } from './types.ts';

/** What goes into the braces of a label. Numbers are written in the locale's way. */
export type LabelValues = Record<string, string | number>;

/** Writes labels: fills braces, picks plural forms, writes numbers and dates as the locale does. */
export interface LabelWriter {
  labels: ReviewLabels;
  text(template: string, values?: LabelValues): string;
  plural(text: PluralText, count: number, values?: LabelValues): string;
  /** The entry for `key`; the key itself where a newer host sends one that this version has no word for. */
  word(table: Readonly<Record<string, string>>, key: string): string;
  number(value: number): string;
  /** Date and time of an ISO 8601 text; the text itself where it is no date. */
  dateTime(iso: string): string;
}

export function createLabelWriter(labels: ReviewLabels): LabelWriter {
  const numbers = new Intl.NumberFormat(labels.locale);
  const plurals = new Intl.PluralRules(labels.locale);
  const dates = new Intl.DateTimeFormat(labels.locale, { dateStyle: 'medium', timeStyle: 'short' });

  function text(template: string, values: LabelValues = {}): string {
    return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) return whole;
      return typeof value === 'number' ? numbers.format(value) : value;
    });
  }

  return {
    labels,
    text,
    plural: (forms, count, values) => text(forms[plurals.select(count)] ?? forms.other, { count, ...values }),
    word: (table, key) => (Object.hasOwn(table, key) ? table[key]! : key),
    number: (value) => numbers.format(value),
    dateTime: (iso) => {
      const time = Date.parse(iso);
      return Number.isNaN(time) ? iso : dates.format(time);
    },
  };
}
