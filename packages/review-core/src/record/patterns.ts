/** What strings of a record look like: used by the guard and by the schema, so that the two can't drift apart. */

export const UUID: RegExp = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const DIGEST: RegExp = /^[0-9a-f]{64}$/;
export const RUN_ID: RegExp = /^[0-9a-f]{32}$/;
/** An id that somebody else minted. */
export const NAME: RegExp = /^[\s\S]+$/;
/** ISO 8601 in UTC. */
export const TIMESTAMP: RegExp =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;
/** An absolute root of whatever system it was recorded on. */
export const ROOT: RegExp = /^[^\0]+$/;
/**
 * A path below the root: `/` between segments, none of them empty, `.` or `..`; no NUL. `:` and `\` are lawful.
 * No half of a surrogate pair: no file system holds such a name, and another file would be meant in its place.
 */
export const PATH: RegExp = /^(?:(?!\.{1,2}(?:\/|$))[^/\0\p{Surrogate}]+(?:\/(?!$)|$))+$/u;
/** One line of a hunk with its mark, without its LF. */
export const HUNK_LINE: RegExp = /^[ +\-\\][^\n]*$/;

export const MAX_MODE = 0o7777;
