/** What stands at the path of a change, held against its record. Only the digest, kind and size decide. */
import type { Outcome, OutcomeReason } from '../outcome.ts';
import type { LockedFile, Next } from '../ports/workspace.ts';
import type { ReviewChange } from '../record/v1.ts';
import { answer, unavailable } from './answer.ts';
import { sideOf } from './evidence.ts';
import { sameContent } from './fold.ts';

export function judgeTarget(change: ReviewChange, file: LockedFile): 'atAfter' | 'atBefore' | Outcome {
  const { seen } = file;
  const now = sideOf(seen);
  if (now === null) return conflict(change, 'replacedKind', seen.at === 'unsupported' ? seen.message : '');
  if (sameContent(now.state, change.after) && modeFits(change, now.state?.mode)) {
    if ('links' in seen && seen.links > 1) return unavailable(change, 'hardLinked');
    return 'atAfter';
  }
  if (sameContent(now.state, change.before) && beforeModeFits(change, now.state?.mode)) return 'atBefore';
  if (now.state === null) return conflict(change, 'deleted', 'it is not there any more.');
  if (change.after !== null && now.state.kind !== change.after.kind) {
    return conflict(change, 'replacedKind', `it is a ${now.state.kind} now.`);
  }
  return conflict(change, 'changedOnDisk', 'it was changed after the recorded edit.');
}

const OWNER_WRITES = 0o200;

/** A file that somebody made read-only after the change is meant to stay as it is: it is neither replaced nor removed. */
export function judgeReadOnly(change: ReviewChange, { seen }: LockedFile): Outcome | null {
  if (seen.at !== 'file' || change.after === null) return null;
  if (seen.state.mode & OWNER_WRITES || !(change.after.mode & OWNER_WRITES)) return null;
  return answer('failed', [change], {
    reason: 'io',
    errno: 'EACCES',
    message: `'${change.path}' was made read-only after the recorded edit. Nothing was written; make it writable to roll it back.`,
  });
}

/** A file that was read-only when the tool wrote it stays so, and the workspace is told that this is meant. */
export function keepReadOnly(next: Next, { seen }: LockedFile): Next {
  if (next.at !== 'file' || next.mode !== null || seen.at !== 'file') return next;
  return seen.state.mode & OWNER_WRITES ? next : { ...next, mode: seen.state.mode };
}

/** A change of the mode is undone only over the mode that it set. */
function modeFits(change: ReviewChange, mode: number | undefined): boolean {
  return !change.facets.includes('mode') || mode === change.after?.mode;
}

/** Where only the mode differs, the content can't tell before from after. */
function beforeModeFits(change: ReviewChange, mode: number | undefined): boolean {
  return !change.facets.includes('mode') || mode === change.before?.mode;
}

function conflict(change: ReviewChange, reason: OutcomeReason, what: string): Outcome {
  return answer('conflict', [change], {
    reason,
    message: `'${change.path}' was left alone: ${what} Nothing was written; compare it by hand, or keep it as it is.`,
  });
}
