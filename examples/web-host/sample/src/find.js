import { listNotes } from './list.js';

/** Notes that hold the words. */
export function findNotes(words) {
  return listNotes().filter((note) => note.text.includes(words));
}
