import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { openTranscript, type Transcript } from '../index.ts';

/** A directory of the running test's own. */
export function testDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'transcript-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Opens a transcript that is closed when the test ends. */
export async function open(path: string, onTouched?: () => void): Promise<Transcript> {
  const transcript = await openTranscript(onTouched === undefined ? { path } : { path, onTouched });
  onTestFinished(() => transcript.close());
  return transcript;
}

/** A transcript over a file with these bytes. */
export async function openWith(bytes: string | Uint8Array): Promise<Transcript> {
  const path = join(testDirectory(), 'session.jsonl');
  writeFileSync(path, bytes);
  return open(path);
}

const CASES = fileURLToPath(new URL('../../../../../test/cases/', import.meta.url));

/** The bytes of a public case. */
export function caseInput(name: string): Uint8Array {
  return readFileSync(join(CASES, name, 'input.jsonl'));
}
