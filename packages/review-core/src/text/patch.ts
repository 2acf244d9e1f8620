import { encodeUtf8 } from '../platform.ts';
import type { FileState, ReviewChange, ReviewHunk } from '../record/v1.ts';
import { hunkHeader } from './header.ts';
import { hunkOf } from './hunk-of.ts';
import { quoteName } from './quote.ts';

/**
 * The change as a patch that `git apply` takes, and that `git apply -R` takes back.
 *
 * A change whose bytes differ and that has no hunks (binary, too large, not recorded) gives the words
 * `Binary files … differ` in place of hunks: git refuses such a patch, so that nobody applies half a change. A
 * change of which the end is not known, or that git can't see (owner-only bits of a mode), gives `''`.
 *
 * @param hunks the hunks of the change, with any context of at least 1 line
 * @since 0.1.0
 */
export function toUnifiedPatch(change: ReviewChange, hunks: readonly ReviewHunk[]): string {
  const { before, after } = change;
  if (after === null && change.status !== 'deleted') return '';
  if (before === null || after === null || before.kind === after.kind) {
    return filePatch(change.path, before, after, hunks);
  }
  // A change of kind: git removes the one and adds the other, which takes every line of both.
  const whole = isWhole(hunks, before, after);
  return (
    filePatch(change.path, before, null, whole ? side(hunks, '-') : []) +
    filePatch(change.path, null, after, whole ? side(hunks, '+') : [])
  );
}

function filePatch(
  path: string,
  before: FileState | null,
  after: FileState | null,
  hunks: readonly ReviewHunk[],
): string {
  const unseen = hunks.length === 0 && bytesDiffer(before, after);
  // With no line between, git would pass over the whole file in silence: the mode is named though it stayed.
  const head = modeLines(before, after, unseen);
  const [oldName, newName] = [quoteName(`a/${path}`), quoteName(`b/${path}`)];
  const [from, to] = [before === null ? '/dev/null' : oldName, after === null ? '/dev/null' : newName];
  if (hunks.length > 0) {
    head.push(`--- ${ended(from)}`, `+++ ${ended(to)}`);
    for (const hunk of hunks) head.push(hunkHeader(hunk), hunk.lines.join('\n'));
  } else if (unseen) {
    head.push(`Binary files ${from} and ${to} differ`);
  }
  if (head.length === 0) return '';
  return `diff --git ${oldName} ${newName}\n${head.join('\n')}\n`;
}

/** git ends a name that holds a space with a TAB: else what stands behind the space could be taken for a date. */
function ended(name: string): string {
  return name.includes(' ') ? `${name}\t` : name;
}

function modeLines(before: FileState | null, after: FileState | null, always: boolean): string[] {
  if (before === null) return after === null ? [] : [`new file mode ${gitMode(after)}`];
  if (after === null) return [`deleted file mode ${gitMode(before)}`];
  const [old, now] = [gitMode(before), gitMode(after)];
  return old === now && !always ? [] : [`old mode ${old}`, `new mode ${now}`];
}

/** git knows of a file's mode whether its owner may execute it. */
function gitMode(state: FileState): string {
  if (state.kind === 'symlink') return '120000';
  return state.mode & 0o100 ? '100755' : '100644';
}

function bytesDiffer(before: FileState | null, after: FileState | null): boolean {
  if (before !== null && after !== null) return before.digest !== after.digest;
  return (before?.size ?? 0) + (after?.size ?? 0) > 0;
}

/** Whether the hunks show every byte of both sides. */
function isWhole(hunks: readonly ReviewHunk[], before: FileState, after: FileState): boolean {
  return sizeOf(side(hunks, '-')) === before.size && sizeOf(side(hunks, '+')) === after.size;
}

function sizeOf(hunks: readonly ReviewHunk[]): number {
  let size = 0;
  for (const line of hunks.flatMap((hunk) => hunk.lines)) {
    // The mark counts for the LF, which a marker takes away again.
    size += line.startsWith('\\') ? -1 : encodeUtf8(line).length;
  }
  return size;
}

/** One side of whole hunks, as the removal (`-`) or the addition (`+`) of all its lines. */
function side(hunks: readonly ReviewHunk[], mark: '-' | '+'): ReviewHunk[] {
  const lines: string[] = [];
  let taken = false;
  for (const line of hunks.flatMap((hunk) => hunk.lines)) {
    if (!line.startsWith('\\')) taken = line.startsWith(' ') || line.startsWith(mark);
    if (taken) lines.push(line.startsWith('\\') ? line : mark + line.slice(1));
  }
  return lines.length === 0 ? [] : [hunkOf({ old: 0, now: 0 }, lines, [])];
}
