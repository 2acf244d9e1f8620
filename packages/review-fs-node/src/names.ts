import { randomBytes } from 'node:crypto';
import type { Refusal } from '@backstitch/review-core';

/**
 * Which names one path component can have, as pure rules: what the running system can't address is refused, and
 * nothing else. `:` and `\` are lawful on POSIX.
 */
export type NameRules = 'posix' | 'win32';

export interface BadName {
  refused: Refusal;
  /** Completes the sentence "The name … ". */
  why: string;
}

const NAME_MAX = 255;
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;
// Left out of names by HFS+ and by some tools, so that `.g<ZWNJ>it` would be `.git` there.
const IGNORABLE = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const WINDOWS_ILLEGAL = /[\u0001-\u001f<>:"/\\|?*]/;

/** Null where the name can be used. */
export function checkName(name: string, rules: NameRules): BadName | null {
  if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes('\0')) {
    return { refused: 'invalidName', why: 'is empty, a dot name, or holds a separator or NUL' };
  }
  if (/\p{Surrogate}/u.test(name)) return { refused: 'notUtf8', why: 'holds half of a surrogate pair' };
  if ((rules === 'win32' ? name.length : Buffer.byteLength(name)) > NAME_MAX) {
    return {
      refused: 'nameTooLong',
      why: `is longer than ${NAME_MAX} ${rules === 'win32' ? 'characters' : 'bytes'}`,
    };
  }
  if (isGitName(name))
    return { refused: 'denied', why: 'is that of a git directory, which is never touched' };
  return rules === 'win32' ? checkWindowsName(name) : null;
}

function checkWindowsName(name: string): BadName | null {
  if (WINDOWS_ILLEGAL.test(name))
    return { refused: 'invalidName', why: 'holds a character that Windows can not store' };
  if (/[. ]$/.test(name))
    return { refused: 'invalidName', why: 'ends in a dot or a space, which Windows drops' };
  if (RESERVED.test(name.split('.')[0]!.trimEnd())) {
    return { refused: 'reservedName', why: 'is that of a device on Windows' };
  }
  return null;
}

/** Every spelling that some file system takes for `.git`. */
function isGitName(name: string): boolean {
  const folded = name
    .replace(IGNORABLE, '')
    .toLowerCase()
    .replace(/[. ]+$/, '');
  return folded === '.git' || folded === 'git~1';
}

/**
 * Working names: 38 bytes whatever the target is called, so that a name of 255 bytes has room beside it. The
 * `~` at the end lets watchers and editors pass them over.
 */
export function newWorkingName(): string {
  return `.bks-${randomBytes(16).toString('hex')}~`;
}

/**
 * Whether recovery may remove a file of this name: intents are read from disk, and are input. Looser than the
 * names that are made now, since an intent may be another version's.
 */
export function isWorkingName(name: string, rules: NameRules): boolean {
  return checkName(name, rules) === null && name.length <= 64 && name.startsWith('.') && name.endsWith('~');
}
