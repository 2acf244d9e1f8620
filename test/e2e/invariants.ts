import { PUBLIC_CASES } from './public-cases.ts';

/**
 * What must hold, as data. A test proves a rule by carrying its id in its title, such as `[D2] ...`;
 * `docs/invariants.md` is generated from this list and from those titles. An id is never reused.
 */
export interface InvariantGroup {
  title: string;
  rules: Readonly<Record<string, string>>;
}

export const INVARIANTS: readonly InvariantGroup[] = [
  {
    title: 'Durability and safety',
    rules: {
      D1: 'No byte in a workspace changes unless the bytes that stand there are the recorded ones.',
      D2: 'A kill at any system call leaves old or new bytes, never torn and never absent; every record stays readable, and recovery leaves no litter.',
      D3: 'A kill during recovery changes nothing of that.',
      D4: 'What was acknowledged is there after a power cut.',
      D5: 'A full disk, a quota, an I/O error, too many open files or a refused access at any call leaves the target whole and answers with a typed error.',
      D6: 'Two hosts on one store never interleave.',
      D7: 'A stale lock has exactly one taker, and only on proof that its owner is dead.',
      D8: 'A link that is swapped in never leads out of the root.',
      D9: 'A FIFO, a device, a huge, an endless and a growing file answer in bounded time and memory.',
      D10: 'One malformed record or line never takes down a list.',
      D11: "One session can't act on, read or learn of another session's change.",
      D12: 'An append never damages the transcript: the old bytes stay a prefix of the new file.',
      D13: 'A rollback of several files is all or nothing, unless a foreign edit came between, and then it is told.',
      D14: 'Of two undos at once, one restores and one reports that it was already done.',
      D15: 'The mode of a file is kept; the store is private whatever the umask.',
      D16: 'A sweep never takes a live session.',
      D17: "A foreign edit that races a restore or a capture's write is never silently lost.",
      D18: 'Stored bytes are never reused unless they are proved to be on disk.',
    },
  },
  {
    title: 'Capture',
    rules: {
      C1: 'The previous bytes are in the session store, outside of the workspace, before a tool may write.',
      C2: 'Every structured write and edit is covered, by what happens to the file and not by what the tool says.',
      C3: 'Workspace, scratch and approved external roots are covered.',
      C4: 'A change outside of the workspace is evidence only: it grants no path and is never reversible.',
      C5: 'A capture happens inside the lock of its path, after the write was allowed.',
      C6: 'Before and after are raw bytes with their SHA-256; large files are hashed in slices.',
      C7: 'Stored bytes lie in private files that are synced before they are relied on.',
      C8: 'The record is pending first, then the tool runs, then the record is active with digest, counts and hunks.',
      C9: 'A failed tool that changed nothing leaves no change; one that did is recorded as failed, and reversible.',
      C10: 'The host decides what becomes of a write whose capture failed; by default it is prevented, and each choice leaves a visible gap.',
      C11: 'A denied, sensitive or refused operation stores no bytes, no digest and no counts.',
      C12: 'A store that is not absolute, lies inside a workspace, or holds one, is refused.',
      C13: 'The root of the workspace is never a target.',
      C14: 'A change without hunks (binary, too large) is still a record.',
      C15: 'A move is two entries under one id, undone together or not at all.',
      C16: 'Evidence is bounded per file, and by work rather than by time.',
    },
  },
  {
    title: 'Record',
    rules: {
      R1: 'A record carries identity, place, what changed, evidence, reversibility and state, as record version 1 says.',
      R2: 'A record names its message; its path is relative to its root, also outside of the workspace.',
      R3: 'Writers refuse what is no record (bad digest, absolute path, dot segments); readers keep unknown members.',
      R4: 'The execution root is provenance, never a permission to write elsewhere.',
      R5: 'Context of 1, 3 and 5 lines comes from the stored hunks alone; what was not recorded is told as such.',
      R6: 'The record and its schema load in a browser.',
    },
  },
  {
    title: 'States and outcomes',
    rules: {
      T1: 'A change is in one of a closed set of states, and moves only along the table of transitions.',
      T2: 'What can lawfully happen is a value of a closed set of outcomes that carries the changes.',
      T3: 'Undoing twice answers that it was already done, and writes nothing.',
      T4: 'A change that is open or was cut short is settled by what stands on disk, never by a guess.',
      T5: 'A change that is not reversible answers unavailable with its reason.',
      T6: 'A kept change stays undoable; keeping writes no workspace file.',
      T7: 'A refusal by the host during an undo leaves the former state, and the undo can be asked for again.',
      T8: 'After any other failure of an undo the state is settled by the bytes on disk.',
      T9: 'Misplaced stores, unknown and foreign ids, escaped paths and damaged snapshots are typed errors or outcomes.',
      T10: 'The session version history answers with the known versions where one is not known.',
      T11: 'An unknown or foreign entry in the store is skipped; a read that fails surfaces.',
    },
  },
  {
    title: 'Guard and restore',
    rules: {
      G1: 'Kind, size and SHA-256 on disk equal the recorded after, else conflict with nothing written.',
      G2: 'The guard is asked again inside the lock, just before the file is published.',
      G3: 'Stored bytes are verified against the record before they are written.',
      G4: 'Session, id, canonical path and root are checked again at the undo.',
      G5: 'Replacement links, retargeted directories and escapes are refused.',
      G6: 'The undo of a creation removes the file; every other undo puts the previous bytes back.',
      G7: "The host's policy of now applies to an undo, also after a restart.",
      G8: 'Edits of one file are undone in reverse order.',
      G9: "A file's chain in a round is undone as a whole, picked by the host and never by the client.",
      G10: 'A broken chain is never partly rolled back.',
      G11: "A rollback invalidates the session's version tags of that path.",
      G12: 'An undo is asked for by session and snapshot id; no path ever comes from a client.',
    },
  },
  {
    title: 'Preview',
    rules: {
      P1: 'The limits are inclusive integers, and bound work instead of lines times lines.',
      P2: 'A limit of the preview never discards bytes that an undo needs.',
      P3: 'NUL or invalid UTF-8 is binary; BOM and CR are content, and only LF ends a line.',
      P4: 'Counts that are not known are null, never 0.',
      P5: 'A preview is computed once, at capture, and never again from disk.',
      P6: 'A hunk is a header and lines that carry their kind in front, as git writes them.',
    },
  },
  {
    title: 'Transcript',
    rules: {
      A1: 'A state line is appended; the message line is neither rewritten nor moved.',
      A2: 'Full reads, windows and look-ups show the latest state.',
      A3: 'The order is the order of bytes in the file; the last line wins, also within one tick of the clock.',
      A4: 'An append is one whole line, synced under the lock before it returns.',
      A5: 'The owning tool line is checked before an append; a duplicate is not written.',
      A6: 'Nothing else is written; the host is told that the session was touched.',
      A7: 'Deliberate rewrites fold the latest state into the lines that they keep.',
      A8: 'A layout cache is apart from the transcript, versioned, and never trusted over the line itself.',
      A9: 'A layout cache is used only for the file that it was made of; a doubt rebuilds it.',
      A10: 'A reader that does not know state lines skips them; the store still prevents a second undo.',
      A11: 'The cost of a state line does not grow with the transcript.',
    },
  },
  {
    title: 'Reading and screen',
    rules: {
      U1: 'Cards are drawn from the store, survive commits and restarts, and are never matched against git again.',
      U2: 'One row per tool call: a file header with its diff.',
      U3: 'Every record is listed in the order of record, interrupted ones too.',
      U4: 'Changes are grouped by user round and path; the latest round is the newest with changes.',
      U5: 'Hunks of a file are shown continuously with one footer; a copy is all operations in order.',
      U6: 'An external file is opened only by the main window, by ids, and grants nothing.',
      U7: 'Scope and round are picked in native selects that show recorded totals, or unknown.',
      U8: 'A dense menu of file actions is a choice; the actions stay the same.',
      U9: 'Live git comparison is read-only and apart from records.',
      U10: 'A change event per session carries ids only; clients fetch again.',
    },
  },
  {
    title: 'Ownership and lifetime',
    rules: {
      L1: 'Purging a session removes every byte of it; a sweep takes only dead sessions of its own application.',
      L2: 'Directories of sessions are named by the SHA-256 of their id.',
      L3: 'A fork shows evidence and undoes nothing.',
      L4: "A delegate's changes carry its name and session.",
      L5: 'No session that lives expires by age.',
      L6: 'A record never becomes input of a model.',
    },
  },
  { title: 'Public cases', rules: PUBLIC_CASES },
];
