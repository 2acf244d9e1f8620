/**
 * Ends a capture whose tool will never report: its process is proved dead, or the host gave it up.
 *
 * It decides by what stands at the path: the before (`aborted`), what the capture's own write was about to
 * publish (`committed`: a SIGKILL came between the rename and the record), or something else (`interrupted`:
 * reviewable, not reversible, since nobody can say whose bytes they are). The only files that it removes are
 * the names that the `pending` itself lists.
 */
import { isBusy } from '../ports/capabilities.ts';
import type { FileIntent } from '../ports/workspace.ts';
import { isRefused } from '../ports/workspace.ts';
import type { FileState } from '../record/v1.ts';
import type { Deps } from './deps.ts';
import type { JournalEvent } from './events.ts';
import { appendCommit, isUnchanged, prepareCommit, sideOf, storedBefore } from './evidence.ts';
import type { Entry } from './fold.ts';
import { sameContent } from './fold.ts';
import type { Session } from './session.ts';

/** False where somebody holds the path or the session: left alone. */
export async function closePending(deps: Deps, session: Session, entry: Entry): Promise<boolean> {
  const { change } = entry;
  const workspace = deps.workspaceOf(session.id);
  if (entry.publishing !== undefined) {
    const settled = await workspace.settle(intentOf(entry));
    if (isBusy(settled)) return false;
    if (isRefused(settled))
      return append(session, { t: 'interrupted', id: change.id, seen: null, reason: 'interrupted' });
  }
  const seen = await workspace.read(absolutePath(entry), deps.limits.maxSnapshotBytes);
  const now = isRefused(seen) ? null : sideOf(seen);
  if (now === null)
    return append(session, { t: 'interrupted', id: change.id, seen: null, reason: 'unsupportedKind' });
  if (isUnchanged(change.before, now.state)) return append(session, { t: 'aborted', id: change.id });
  if (entry.publishing === undefined || !sameContent(entry.publishing, now.state)) {
    return append(session, { t: 'interrupted', id: change.id, seen: now.state, reason: 'interrupted' });
  }
  const before = await storedBefore(session, entry);
  const commit = await prepareCommit(deps, change.id, {
    before,
    after: now,
    source: 'written',
    failed: false,
  });
  return !isBusy(await session.write((tx) => appendCommit(tx, commit)));
}

async function append(session: Session, event: JournalEvent): Promise<boolean> {
  return !isBusy(await session.write((tx) => tx.append([event])));
}

function absolutePath(entry: Entry): string {
  return `${entry.change.root}/${entry.change.path}`;
}

/** What the capture's own write was about to do, in the words of recovery. */
function intentOf(entry: Entry): FileIntent {
  const { change, publishing } = entry;
  // The mode is not known before the publish, and recovery decides by content alone.
  const to: FileState | null =
    publishing == null ? null : { ...publishing, mode: change.before?.mode ?? 0o644 };
  return {
    root: change.root,
    path: change.path,
    from: change.before,
    to,
    temp: entry.temp,
    displaced: entry.displaced,
    madeDirs: entry.madeDirs,
  };
}
