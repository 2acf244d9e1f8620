import { type ReadLineLogOptions, readLineLog } from '../index.ts';

/** A short form of what a log reads as: the text of a record, or `damaged:json`, or `tail`, each with its place. */
export async function entries(
  path: string,
  options?: ReadLineLogOptions,
): Promise<Array<[string, number, number]>> {
  const out: Array<[string, number, number]> = [];
  for await (const entry of readLineLog(path, options)) {
    const shown =
      'tail' in entry
        ? 'tail'
        : 'damaged' in entry
          ? `damaged:${entry.damaged}`
          : Buffer.from(entry.raw).toString();
    out.push([shown, entry.offset, entry.length]);
  }
  return out;
}
