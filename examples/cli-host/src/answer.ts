import { type Outcome, type OutcomeStatus, ReviewError } from '@backstitch/review-core';
import { UsageError } from './args.ts';
import { visible } from './text.ts';

/** What a command came to: something to print, and how the process ends. */
export interface Answer {
  code: number;
  json: unknown;
  text: string;
}

export const EXIT = {
  done: 0,
  conflict: 1,
  usage: 2,
  unknown: 3,
  unavailable: 4,
  busy: 5,
  failed: 6,
  error: 7,
} as const;

const BY_STATUS: Record<OutcomeStatus, number> = {
  kept: EXIT.done,
  unkept: EXIT.done,
  alreadyKept: EXIT.done,
  rolledBack: EXIT.done,
  alreadyRolledBack: EXIT.done,
  alreadyAtBefore: EXIT.done,
  redone: EXIT.done,
  nothingToUndo: EXIT.done,
  conflict: EXIT.conflict,
  stale: EXIT.conflict,
  unavailable: EXIT.unavailable,
  busy: EXIT.busy,
  failed: EXIT.failed,
  uncertain: EXIT.failed,
};

export function fromOutcome(outcome: Outcome): Answer {
  const reason = outcome.reason === null ? '' : ` (${outcome.reason})`;
  return {
    code: BY_STATUS[outcome.status] ?? EXIT.error,
    json: outcome,
    text: `${outcome.status}${reason}: ${visible(outcome.message)}`,
  };
}

export function fromError(error: unknown): Answer {
  if (error instanceof UsageError) {
    return {
      code: EXIT.usage,
      json: { error: 'usage', message: error.message },
      text: `${error.message} Try cli-host --help.`,
    };
  }
  if (ReviewError.isInstance(error)) {
    const { code, message, path, errno } = error;
    return {
      code: codeOf(code),
      json: { error: code, message, path, errno },
      text: `${code}: ${visible(message)}`,
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: EXIT.error, json: { error: 'other', message }, text: visible(message) };
}

function codeOf(code: string): number {
  if (code === 'unknownRecord' || code === 'unknownCall') return EXIT.unknown;
  if (code === 'busy') return EXIT.busy;
  return code === 'invalidArgument' ? EXIT.usage : EXIT.error;
}
