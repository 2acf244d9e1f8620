/**
 * Cuts a stream of bytes into pieces, on LF and on runs of NUL, before anything is decoded. Holds at most one piece
 * of `cap` bytes; of a longer one it only counts, and of a run of NUL too, which may be a hole of any size.
 */

/** What ended a piece: a line end, the bytes of a hole, or the end of what was read. */
export type PieceEnd = 'lf' | 'nul' | 'eof';

export type Piece =
  | { kind: 'text'; offset: number; bytes: Uint8Array; end: PieceEnd }
  | { kind: 'tooLong'; offset: number; length: number; end: PieceEnd }
  | { kind: 'nul'; offset: number; length: number };

export interface Cutter {
  push(chunk: Buffer): Piece[];
  finish(): Piece[];
}

const LF = 0x0a;
const NUL = 0x00;
const ZEROS: Buffer = Buffer.alloc(256 * 1024);

/** @param offset of the first byte that will be pushed */
export function createCutter(offset: number, cap: number): Cutter {
  let at = offset;
  let parts: Uint8Array[] = [];
  let length = 0;
  let nulLength = 0;

  function add(bytes: Uint8Array): void {
    length += bytes.length;
    if (length <= cap) parts.push(bytes);
    else parts = [];
  }

  function endText(end: PieceEnd, out: Piece[]): void {
    const start = at - length;
    if (length > cap) out.push({ kind: 'tooLong', offset: start, length, end });
    else if (length > 0) out.push({ kind: 'text', offset: start, bytes: joined(parts), end });
    parts = [];
    length = 0;
  }

  function endNul(out: Piece[]): void {
    if (nulLength > 0) out.push({ kind: 'nul', offset: at - nulLength, length: nulLength });
    nulLength = 0;
  }

  /** Takes everything up to the next cut; returns where to go on in the chunk. */
  function takeText(chunk: Buffer, from: number, cut: number, out: Piece[]): number {
    endNul(out);
    const end = cut === -1 ? chunk.length : cut;
    if (end > from) add(chunk.subarray(from, end));
    at += end - from;
    if (cut === -1) return end;
    endText(chunk[cut] === LF ? 'lf' : 'nul', out);
    if (chunk[cut] === NUL) return end;
    at += 1;
    return end + 1;
  }

  function takeNul(chunk: Buffer, from: number): number {
    const rest = chunk.length - from;
    // A hole may have gigabytes: compared in one piece that takes a thousandth of the time.
    let end = rest <= ZEROS.length && chunk.compare(ZEROS, 0, rest, from) === 0 ? chunk.length : from;
    while (end < chunk.length && chunk[end] === NUL) end += 1;
    nulLength += end - from;
    at += end - from;
    return end;
  }

  return {
    push(chunk) {
      const out: Piece[] = [];
      let nextNul = chunk.indexOf(NUL);
      for (let i = 0; i < chunk.length; ) {
        if (chunk[i] === NUL) {
          i = takeNul(chunk, i);
          nextNul = chunk.indexOf(NUL, i);
        } else {
          i = takeText(chunk, i, firstOf(chunk.indexOf(LF, i), nextNul), out);
        }
      }
      return out;
    },
    finish() {
      const out: Piece[] = [];
      endNul(out);
      endText('eof', out);
      return out;
    },
  };
}

function firstOf(a: number, b: number): number {
  if (a === -1 || b === -1) return Math.max(a, b);
  return Math.min(a, b);
}

function joined(parts: Uint8Array[]): Uint8Array {
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}
