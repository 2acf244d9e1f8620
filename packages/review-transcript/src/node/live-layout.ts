import { createLayout, type FoldedLine, foldEntry, type Layout } from '../fold.ts';
import { isOwnerType } from '../lines.ts';
import { storeFailed } from './failures.ts';
import { type FileStamp, sameFile, sameStamp, stampOf } from './file.ts';
import { hash } from './hash.ts';
import { Queue } from './queue.ts';
import { markHolds, markOf, NOTHING_SCANNED, type Scanned, scanInto } from './scan.ts';

/** A line that this process appended: its text, what of it is folded, and where it went. */
export interface OwnLine {
  text: string;
  /** Only what the fold looks at. */
  value: Record<string, unknown>;
  offset: number;
  length: number;
}

const ATTEMPTS = 3;

/**
 * The layout of one open transcript, kept in step with its file.
 *
 * `refresh` costs one system call while the file is as it was. Where it grew, by anybody, the bytes behind the
 * last known line are read and no others; where it is another file, is shorter, or its bytes are not the known
 * ones, all of it is read again. No lock is taken: a tail without its LF is not there yet, and is looked at
 * again next time. What a refresh answers is only ever where lines stood: `rows.ts` checks each before use.
 *
 * A message whose line was read once and is gone from a file that was not replaced stays `lost`: asking for it
 * is answered with an error and not with "there is none".
 */
export class LiveLayout {
  readonly path: string;
  readonly #queue = new Queue();
  #layout: Layout = createLayout();
  #stamp: FileStamp | null = null;
  #scanned: Scanned = NOTHING_SCANNED;
  #stale = false;
  readonly #lost = new Set<string>();
  readonly #newOwners = new Set<string>();

  constructor(path: string) {
    this.path = path;
  }

  /** What the file was when it was looked at last; null where there is none yet. */
  get stamp(): FileStamp | null {
    return this.#stamp;
  }

  /** The bytes behind the last LF, where they are no complete line. */
  get tail(): Scanned['tail'] {
    return this.#scanned.tail;
  }

  isLost(messageId: string): boolean {
    return this.#lost.has(messageId) && !this.#layout.owners.has(messageId);
  }

  /** A row was not what the layout said: the next refresh believes nothing. */
  distrust(): void {
    this.#stale = true;
  }

  /** Messages that came in by an append, of any process, since this was asked last. */
  takeNewOwners(): string[] {
    const taken = [...this.#newOwners];
    this.#newOwners.clear();
    return taken;
  }

  /** The layout of the file as it is now. */
  refresh(): Promise<Layout> {
    return this.#queue.run(() => this.#refresh());
  }

  /** Reads the whole file again, with every line of the host's. */
  readAll(): Promise<{ layout: Layout; lines: FoldedLine[] }> {
    return this.#queue.run(async () => {
      let lines: FoldedLine[] = [];
      await this.#untilSteady(async (stamp) => {
        lines = [];
        await this.#rebuild(stamp, (line) => lines.push(line));
      });
      return { layout: this.#layout, lines };
    });
  }

  /** After an own append, still under the lock. Reads nothing back where nobody came between. */
  appended(lines: readonly OwnLine[]): Promise<Layout> {
    return this.#queue.run(async () => {
      if (!this.#foldOwn(lines)) return this.#refresh();
      return this.#layout;
    });
  }

  async #refresh(): Promise<Layout> {
    await this.#untilSteady(async (stamp) => {
      if (!this.#stale && this.#stamp !== null && sameStamp(stamp, this.#stamp)) return;
      if (this.#onlyGrew(stamp)) await this.#extend(stamp);
      else await this.#rebuild(stamp);
    });
    return this.#layout;
  }

  /** A host may replace the file while it is read: then what was read is nobody's state, and is read again. */
  async #untilSteady(read: (stamp: FileStamp) => Promise<void>): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const stamp = stampOf(this.path);
      if (stamp === null) return this.#checkNotGone();
      await read(stamp);
      const after = stampOf(this.path);
      if (after !== null && sameFile(after, stamp) && after.size >= stamp.size) return;
      this.#stale = true;
    }
    const message = `The transcript ${this.path} was replaced again and again while it was read: try again.`;
    throw storeFailed(message, this.path, null);
  }

  #checkNotGone(): void {
    if (this.#stamp === null) return;
    const message = `The transcript ${this.path} is gone: put it back, or open it again to begin a new one.`;
    throw storeFailed(message, this.path, 'ENOENT');
  }

  #onlyGrew(stamp: FileStamp): boolean {
    const known = this.#stamp;
    if (known === null || this.#stale) return false;
    return sameFile(stamp, known) && stamp.size > known.size && markHolds(this.path, this.#scanned);
  }

  async #extend(stamp: FileStamp): Promise<void> {
    const range = { from: this.#scanned.resume, to: stamp.size };
    // A scan that fails half-way leaves rows behind `resume`: only a rebuild may follow it.
    this.#stale = true;
    this.#scanned = await scanInto(this.#layout, this.path, range, (line) => this.#noteOwner(line));
    this.#stamp = stamp;
    this.#stale = false;
  }

  async #rebuild(stamp: FileStamp, onLine?: (line: FoldedLine) => void): Promise<void> {
    const layout = createLayout();
    const scanned = await scanInto(layout, this.path, { from: 0, to: stamp.size }, onLine);
    this.#noteLost(stamp, layout);
    this.#layout = layout;
    this.#scanned = scanned;
    this.#stamp = stamp;
    this.#stale = false;
  }

  #noteLost(stamp: FileStamp, next: Layout): void {
    const known = this.#stamp;
    if (known === null) return;
    if (!sameFile(stamp, known) || stamp.size < known.size) {
      this.#lost.clear();
      return;
    }
    for (const id of this.#layout.owners.keys()) if (!next.owners.has(id)) this.#lost.add(id);
  }

  #noteOwner({ row }: FoldedLine): void {
    if (row.id !== null && isOwnerType(row.type)) this.#newOwners.add(row.id);
  }

  #foldOwn(lines: readonly OwnLine[]): boolean {
    const stamp = stampOf(this.path);
    const bytes = Buffer.from(lines.map((line) => `${line.text}\n`).join(''));
    const from = this.#scanned.resume;
    const isNext = lines[0]?.offset === from && this.#scanned.tail === null && !this.#stale;
    if (stamp === null || !isNext || stamp.size !== from + bytes.length) return false;
    if (this.#stamp !== null && !sameFile(stamp, this.#stamp)) return false;
    for (const { value, offset, length } of lines) {
      const line = foldEntry(this.#layout, { offset, length, value, raw: NO_BYTES }, hash);
      if (line !== null) this.#noteOwner(line);
    }
    this.#scanned = { resume: stamp.size, tail: null, mark: markOf(bytes) };
    this.#stamp = stamp;
    return true;
  }
}

const NO_BYTES = new Uint8Array();
