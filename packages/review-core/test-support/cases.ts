import { readFileSync } from 'node:fs';

const DIRECTORY = new URL('../../../test/cases/', import.meta.url);

export function caseBytes(file: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(file, DIRECTORY)));
}

export function caseText(file: string): string {
  return readFileSync(new URL(file, DIRECTORY), 'utf8');
}

export interface CasePair {
  name: string;
  /** `[C071] [C072]` */
  ids: string;
  before: Uint8Array;
  after: Uint8Array;
  additions: number;
  deletions: number;
  /** git's, with 3 lines of context. */
  hunkHeaders: string[];
}

interface Expected {
  cases: string[];
  numstat?: [string, string];
  hunkHeaders?: string[];
}

/** Every input with two sides. */
export function casePairs(): CasePair[] {
  const all = JSON.parse(caseText('expected.json')) as Record<string, Expected>;
  return Object.entries(all).flatMap(([name, { cases, numstat, hunkHeaders }]) => {
    if (numstat === undefined) return [];
    return {
      name,
      ids: cases.map((id) => `[${id}]`).join(' '),
      before: caseBytes(`${name}/before.bin`),
      after: caseBytes(`${name}/after.bin`),
      additions: Number(numstat[0]),
      deletions: Number(numstat[1]),
      hunkHeaders: hunkHeaders ?? [],
    };
  });
}
