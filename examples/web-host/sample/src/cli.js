#!/usr/bin/env node
import { addNote } from './add.js';
import { findNotes } from './find.js';
import { listNotes } from './list.js';

const [command, ...words] = process.argv.slice(2);

switch (command) {
  case 'add':
    console.log(addNote(words.join(' ')));
    break;
  case 'list':
    for (const note of listNotes()) console.log(note.title);
    break;
  case 'find':
    for (const note of findNotes(words.join(' '))) console.log(note.title);
    break;
  default:
    console.error('usage: tidemark add|list|find');
    process.exit(2);
}
