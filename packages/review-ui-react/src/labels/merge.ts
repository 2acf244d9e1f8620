import { englishLabels } from './english.ts';
import type { PartialLabels, ReviewLabels } from './types.ts';

/** The complete labels: the given ones over the English default. @since 0.1.0 */
export function mergeLabels(given: PartialLabels | undefined): ReviewLabels {
  return given === undefined ? englishLabels : (mergeInto(englishLabels, given) as ReviewLabels);
}

function mergeInto(base: unknown, over: unknown): unknown {
  if (over === undefined) return base;
  if (!isRecord(base) || !isRecord(over)) return over;
  const merged: Record<string, unknown> = { ...base };
  for (const key of Object.keys(over)) merged[key] = mergeInto(base[key], over[key]);
  return merged;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
