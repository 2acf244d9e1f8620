// Exports all notes as one text. Nothing calls it since version 0.2.
import { listNotes } from './list.js';

export function exportAll() {
  return listNotes().map((note) => note.text).join('\n\n');
}
