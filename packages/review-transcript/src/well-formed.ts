/// <reference lib="es2024.string" />
/**
 * Lone halves of surrogate pairs. A writer that cut a string inside a pair left `\ud83d` in the file for good;
 * such text can't be encoded as UTF-8, so reading puts U+FFFD in its place instead of losing the line.
 */

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const LOWER_D = 0x64;

/** A parsed JSON value, well formed in all its strings. Changes the value in place where it must. */
export function toWellFormedValue(value: unknown, raw: Uint8Array): unknown {
  if (!mayHoldLoneHalf(raw)) return value;
  if (typeof value === 'string') return value.toWellFormed();
  repairInPlace(value);
  return value;
}

/** In valid UTF-8 a half can only stand as an escape. */
function mayHoldLoneHalf(raw: Uint8Array): boolean {
  let at = raw.indexOf(BACKSLASH);
  while (at !== -1) {
    if (raw[at + 1] === LOWER_U && ((raw[at + 2] ?? 0) | 0x20) === LOWER_D) return true;
    at = raw.indexOf(BACKSLASH, at + 1);
  }
  return false;
}

/** With a stack of its own: a deeply nested line must not end in a stack overflow. */
function repairInPlace(root: unknown): void {
  const open: object[] = [];
  if (typeof root === 'object' && root !== null) open.push(root);
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    for (const [key, member] of Object.entries(holder)) {
      if (typeof member === 'object' && member !== null) open.push(member);
      repairMember(holder, key, member);
    }
  }
}

function repairMember(holder: object, key: string, member: unknown): void {
  const name = key.toWellFormed();
  const value = typeof member === 'string' ? member.toWellFormed() : member;
  if (name === key && value === member) return;
  if (name !== key) Reflect.deleteProperty(holder, key);
  // Not by assignment: a member may be called `__proto__`.
  Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
}
