import path from 'node:path';
import type { Located, Refusal, Refused, Scope } from '@backstitch/review-core';
import { checkName, type NameRules } from './names.ts';

/**
 * The choke point: every path that comes from a caller, a record or an intent goes through `placeOf`, at capture
 * and again at restore. It decides by segments, never by string prefix, and touches no disk: whether a component
 * is a link is told by the walk (`walk.ts`), which starts from the `Place` that is made here.
 */

/** A directory that paths may lie in. */
export interface Root {
  /** The absolute real path, taken once at opening. */
  root: string;
  scope: Scope;
  dev: bigint;
  ino: bigint;
  /** The real path, and the spelling that the host gave where it differs: callers go on using that one. */
  spellings: string[][];
}

/** A path that is well formed and inside a root. */
export interface Place extends Located {
  home: Root;
  /** At least one; each one passed `checkName`. */
  segments: string[];
}

export interface GuardOptions {
  /** The workspace's own root comes first; relative paths start there. */
  roots: readonly Root[];
  rules: NameRules;
  /** Whether spellings of a root that differ in case name the same root. */
  foldsCase: boolean;
}

export function refuse(refused: Refusal, given: string, why: string): Refused {
  return { refused, path: given, message: `${JSON.stringify(given)} was refused: ${why}` };
}

/** Accepts relative and absolute spellings; answers the one canonical place, or why there is none. */
export function placeOf(given: string, options: GuardOptions): Place | Refused {
  if (given === '' || given.includes('\0')) {
    return refuse('invalidName', given, 'it is empty or holds NUL. Give a path inside the workspace.');
  }
  const absolute = isAbsolute(given, options.rules);
  const parts = splitPath(given, absolute ? options.rules : 'posix');
  if (parts.includes('..')) {
    return refuse('outsideRoot', given, '".." is not allowed in a path. Give the path without it.');
  }
  const kept = parts.filter((part) => part !== '' && part !== '.');
  const found = longestRoot(absolute ? kept : [...options.roots[0]!.spellings[0]!, ...kept], options);
  if (!found) return refuse('outsideRoot', given, 'it lies in no root of the workspace.');
  if (found.rest.length === 0)
    return refuse('rootItself', given, 'a root is never a target. Name a file in it.');
  if (['', '.'].includes(parts.at(-1)!)) {
    return refuse('invalidName', given, 'a path that ends in a slash names a directory. Name a file.');
  }
  return placeIn(found.home, found.rest, given, options.rules);
}

/** The place of canonical segments below a root that is known already. */
export function placeIn(home: Root, segments: string[], given: string, rules: NameRules): Place | Refused {
  for (const name of segments) {
    const bad = checkName(name, rules);
    if (bad) return refuse(bad.refused, given, `the name ${JSON.stringify(name)} ${bad.why}.`);
  }
  return {
    root: home.root,
    path: segments.join('/'),
    scope: home.scope,
    absolutePath: path.join(home.root, ...segments),
    home,
    segments,
  };
}

/** What leaves the package of a place. */
export function toLocated({ root, path: relative, scope, absolutePath }: Place): Located {
  return { root, path: relative, scope, absolutePath };
}

/** An absolute path cut into names; of a Windows path the drive is the first. */
export function splitPath(given: string, rules: NameRules): string[] {
  return given.split(rules === 'win32' ? /[\\/]/ : '/');
}

function isAbsolute(given: string, rules: NameRules): boolean {
  return given.startsWith('/') || (rules === 'win32' && /^([a-z]:)?\\|^[a-z]:/i.test(given));
}

function longestRoot(full: string[], options: GuardOptions): { home: Root; rest: string[] } | null {
  let best: { home: Root; rest: string[] } | null = null;
  for (const home of options.roots) {
    for (const spelling of home.spellings) {
      if (!startsWith(full, spelling, options.foldsCase)) continue;
      const rest = full.slice(spelling.length);
      if (!best || rest.length < best.rest.length) best = { home, rest };
    }
  }
  return best;
}

/** Whether `inner` is `outer`, or lies in it. */
export function startsWith(inner: readonly string[], outer: readonly string[], foldsCase: boolean): boolean {
  return outer.every((name, at) => {
    const other = inner[at];
    return other !== undefined && (other === name || (foldsCase && foldCase(other) === foldCase(name)));
  });
}

/** Coarser than any file system: twins that are told apart on disk may fold to one key, never the reverse. */
export function foldCase(text: string): string {
  return text.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC');
}

/** The other case of the first letter that has one. */
export function flipCase(name: string): string {
  for (const letter of name) {
    const other = letter.toLowerCase() === letter ? letter.toUpperCase() : letter.toLowerCase();
    if (other !== letter && other.length === letter.length) return name.replace(letter, other);
  }
  return name;
}
