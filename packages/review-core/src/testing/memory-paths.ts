import type { Located, Refusal, Refused } from '../ports/workspace.ts';
import type { Scope } from '../record/v1.ts';
import type { MemoryTree } from './memory-tree.ts';

export interface MemoryRoot {
  root: string;
  scope: Scope;
}

/** Whether `name` is one entry of a directory. */
export function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name);
}

/** Accepts a spelling or says why not. By segments, never by prefix; no link is followed. */
export function locateIn(tree: MemoryTree, roots: readonly MemoryRoot[], path: string): Located | Refused {
  const refuse = (refused: Refusal, message: string): Refused => ({ refused, path, message });
  const found = path.startsWith('/') ? rootOf(roots, path) : { root: roots[0]!, rest: path };
  if (found === null) return refuse('outsideRoot', `${path} lies in no root of the workspace`);
  const { root, rest } = found;
  if (rest === '') return refuse('rootItself', `${path} is a root itself: name a file in it`);
  const segments = rest.split('/');
  const climbs = segments.some((segment) => segment === '..');
  if (climbs) return refuse('outsideRoot', `${path} climbs with "..": name the file itself`);
  if (segments.some((segment) => segment === '' || segment === '.' || segment.includes('\0'))) {
    return refuse('invalidName', `${path} has an empty, "." or NUL segment`);
  }
  if (segments.some((segment) => new TextEncoder().encode(segment).length > 255)) {
    return refuse('nameTooLong', `${path} has a name of more than 255 bytes`);
  }
  if (segments.some((segment) => segment.toLowerCase() === '.git')) {
    return refuse('denied', `${path} lies in a .git folder, which is left alone`);
  }
  if (tree.get(root.root)?.kind !== 'directory') return refuse('rootMissing', `${root.root} is not there`);
  return (
    walk(tree, root, segments) ?? {
      root: root.root,
      path: rest,
      scope: root.scope,
      absolutePath: `${root.root}/${rest}`,
    }
  );

  function walk(files: MemoryTree, from: MemoryRoot, names: string[]): Refused | null {
    let at = from.root;
    for (const name of names.slice(0, -1)) {
      at = `${at}/${name}`;
      const kind = files.get(at)?.kind;
      if (kind === undefined) return null;
      if (kind === 'symlink') return refuse('link', `${at} is a link, and links are not followed`);
      if (kind !== 'directory') return refuse('notADirectory', `${at} is not a directory`);
    }
    return null;
  }
}

function rootOf(roots: readonly MemoryRoot[], path: string): { root: MemoryRoot; rest: string } | null {
  const holds = (root: MemoryRoot): boolean => path === root.root || path.startsWith(`${root.root}/`);
  const root = roots.filter(holds).sort((a, b) => b.root.length - a.root.length)[0];
  return root === undefined ? null : { root, rest: path.slice(root.root.length + 1) };
}
