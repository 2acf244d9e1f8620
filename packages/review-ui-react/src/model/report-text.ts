import type { Outcome } from '@backstitch/review-core';
import type { Advice } from '../labels/types.ts';
import type { LabelWriter } from '../labels/writer.ts';
import type { ActionReport, CopyResult } from '../store/state.ts';

/** What a report says, in pieces that a notice can set apart. `next` is what a person can do about it. */
export interface ReportParts {
  tone: 'good' | 'neutral' | 'conflict' | 'problem';
  title: string | null;
  what: string;
  next: string | null;
  code: string | null;
}

export function reportParts(report: ActionReport, writer: LabelWriter): ReportParts {
  if (report.outcome === null) {
    const advice = fill(writer.labels.outcome.error, { path: report.path, reason: report.error }, writer);
    return { tone: 'problem', title: null, ...advice, code: null };
  }
  const { outcome } = report;
  const code =
    outcome.errno === null ? null : writer.text(writer.labels.outcome.errno, { code: outcome.errno });
  return { ...outcomeParts(outcome, report.path, writer), code };
}

function outcomeParts(outcome: Outcome, path: string, writer: LabelWriter): Omit<ReportParts, 'code'> {
  const { labels } = writer;
  switch (outcome.status) {
    case 'conflict':
      return {
        tone: 'conflict',
        title: labels.outcome.conflictTitle,
        ...conflictAdvice(outcome, path, writer),
      };
    case 'unavailable': {
      const what = lookUp(labels.unavailable, outcome.reason) ?? outcome.message;
      return { tone: 'problem', title: labels.outcome.unavailableTitle, what, next: null };
    }
    case 'busy':
    case 'failed':
    case 'uncertain':
      return { tone: 'problem', title: null, ...fill(labels.outcome[outcome.status], { path }, writer) };
    default:
      return plainParts(outcome, path, writer);
  }
}

function conflictAdvice(
  outcome: Outcome,
  path: string,
  writer: LabelWriter,
): Pick<ReportParts, 'what' | 'next'> {
  const advice = lookUp(writer.labels.conflict, outcome.reason);
  // A reason of a newer host: its own words are better than none.
  return advice === null ? { what: outcome.message, next: null } : fill(advice, { path }, writer);
}

const GOOD: readonly string[] = ['kept', 'unkept', 'rolledBack', 'redone'];

function plainParts(outcome: Outcome, path: string, writer: LabelWriter): Omit<ReportParts, 'code'> {
  const texts: Readonly<Record<string, string | Advice>> = writer.labels.outcome;
  const deleted = outcome.status === 'rolledBack' && outcome.changes.some((change) => change.before === null);
  const text = texts[deleted ? 'rolledBackDeleted' : outcome.status];
  const what = typeof text === 'string' ? writer.text(text, { path }) : outcome.message;
  return { tone: GOOD.includes(outcome.status) ? 'good' : 'neutral', title: null, what, next: null };
}

function fill(advice: Advice, values: Record<string, string>, writer: LabelWriter): Advice {
  return { what: writer.text(advice.what, values), next: writer.text(advice.next, values) };
}

function lookUp<T>(table: Readonly<Record<string, T>>, key: string | null): T | null {
  return key !== null && Object.hasOwn(table, key) ? table[key]! : null;
}

/** All of it in one text, for an announcement. */
export function reportText(report: ActionReport, writer: LabelWriter): string {
  const { title, what, next, code } = reportParts(report, writer);
  return [title === null ? null : `${title}:`, what, next, code].filter((part) => part !== null).join(' ');
}

export function copyText(result: CopyResult, writer: LabelWriter): string {
  const { copy } = writer.labels;
  if (result.leftOut > 0) return writer.plural(copy.leftOut, result.leftOut);
  return copy[result.copied];
}
