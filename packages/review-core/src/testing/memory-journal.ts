import { digest } from '../digest.ts';
import { ReviewError } from '../errors.ts';
import type { EventData, Locator, Revision, StoredEvent, UnreadableEvent } from '../ports/store.ts';
import { MemoryLock } from './memory-lock.ts';

type Trouble = Pick<UnreadableEvent, 'unreadable' | 'reason'>;

interface Entry {
  offset: number;
  length: number;
  /** The event as JSON, so that what comes back is a copy, and only what JSON can hold. */
  text: string;
  trouble: Trouble | null;
  /** `lost`: its sync failed, and no later sync covers it. */
  durable: 'yes' | 'no' | 'lost';
}

interface Blob {
  locator: Locator;
  bytes: Uint8Array;
  durable: boolean;
}

const RESERVED = ['v', 'gen', 'minReader', 'check'];

/** What is stored of one session, whichever handle looks at it. */
export class MemoryJournal {
  readonly id: string;
  readonly createdAt: string;
  readonly app: string;
  readonly lock: MemoryLock = new MemoryLock();
  readonly listeners: Set<() => void> = new Set();
  removed = false;
  #entries: Entry[] = [];
  #blobs: Blob[] = [];
  /** Bytes behind the last event that are no event yet. */
  #tail = 0;
  readonly #identity: string = crypto.randomUUID().slice(0, 8);

  constructor(id: string, app: string) {
    this.id = id;
    this.app = app;
    this.createdAt = new Date().toISOString();
  }

  get #end(): number {
    const last = this.#entries.at(-1);
    return last === undefined ? 0 : last.offset + last.length;
  }

  get top(): Revision {
    return this.#revision(this.#end);
  }

  append(events: readonly EventData[]): void {
    const texts = events.map((event) => {
      const reserved = RESERVED.find((member) => member in event);
      if (reserved === undefined) return JSON.stringify(event);
      throw new ReviewError(
        'invalidArgument',
        `the event ${event.t} has a member ${reserved}, which is the store's: rename it`,
      );
    });
    if (this.#tail > 0) this.#push('', this.#tail, { unreadable: 'damaged', reason: 'a line was cut short' });
    this.#tail = 0;
    for (const text of texts) this.#push(text, text.length + 1, null);
    this.notify();
  }

  #push(text: string, length: number, trouble: Trouble | null): void {
    this.#entries.push({ offset: this.#end, length, text, trouble, durable: 'no' });
  }

  *read(from?: Revision): Generator<StoredEvent | UnreadableEvent> {
    const start = from !== undefined && this.knows(from) ? this.#offsetOf(from) : 0;
    for (
      let i = this.#entries.findIndex((entry) => entry.offset >= start);
      i >= 0 && i < this.#entries.length;
      i++
    ) {
      const { offset, length, text, trouble } = this.#entries[i]!;
      const revision = this.#revision(offset + length);
      if (trouble === null) yield { event: JSON.parse(text) as EventData, revision };
      else yield { ...trouble, offset, length, revision };
    }
  }

  knows(revision: Revision): boolean {
    const offset = this.#offsetOf(revision);
    return offset === 0 || this.#entries.some((entry) => entry.offset + entry.length === offset);
  }

  #revision(offset: number): Revision {
    return `${this.#identity}:${offset}`;
  }

  /** −1 where it is of another journal. */
  #offsetOf(revision: Revision): number {
    const [identity, offset] = revision.split(':');
    return identity === this.#identity && /^\d{1,15}$/.test(offset ?? '') ? Number(offset) : -1;
  }

  async put(segment: string, digest: string, bytes: Uint8Array, hint?: Locator): Promise<Locator> {
    if (hint !== undefined && hint.digest === digest && (await this.blob(hint)) !== null) {
      this.#find(hint)!.durable = true;
      return { ...hint };
    }
    const proved = this.#blobs.find((blob) => blob.locator.digest === digest && blob.durable);
    if (proved !== undefined) return { ...proved.locator };
    const offset = this.#blobs
      .filter((blob) => blob.locator.segment === segment)
      .reduce((sum, blob) => sum + blob.locator.length, 0);
    const locator = { digest, segment, offset, length: bytes.length };
    this.#blobs.push({ locator, bytes: new Uint8Array(bytes), durable: false });
    return { ...locator };
  }

  async blob(locator: Locator): Promise<Uint8Array | null> {
    const blob = this.#find(locator);
    if (blob === undefined) return null;
    return (await digest(blob.bytes)) === locator.digest ? new Uint8Array(blob.bytes) : null;
  }

  #find({ segment, offset, length }: Locator): Blob | undefined {
    return this.#blobs.find(
      ({ locator }) => locator.segment === segment && locator.offset === offset && locator.length === length,
    );
  }

  sync(): void {
    for (const entry of this.#entries) if (entry.durable === 'no') entry.durable = 'yes';
    for (const blob of this.#blobs) blob.durable = true;
  }

  /** What a failed sync leaves: nobody knows which bytes reached the disk, and a later sync does not tell. */
  failSync(): void {
    for (const entry of this.#entries) if (entry.durable === 'no') entry.durable = 'lost';
  }

  powerCut(): void {
    while (this.#entries.length > 0 && this.#entries.at(-1)!.durable !== 'yes') this.#entries.pop();
    for (const entry of this.#entries) {
      if (entry.durable === 'lost')
        entry.trouble = { unreadable: 'damaged', reason: 'the bytes are not JSON' };
    }
    this.#blobs = this.#blobs.filter((blob) => blob.durable);
    this.#tail = 0;
  }

  /** A write that was cut off: bytes without an end, which no reader shows and the next append seals. */
  tear(): void {
    this.#tail += 1 + (this.#entries.length % 7);
    this.notify();
  }

  /** Makes the event at `index` unreadable, or appends a region that is no event. */
  damage(trouble: Trouble, index?: number): void {
    if (index === undefined) this.#push('', 16, trouble);
    else this.#entries.at(index)!.trouble = trouble;
    this.#entries.at(index ?? -1)!.durable = 'yes';
    this.notify();
  }

  /** Flips a bit of the stored bytes, or removes them: either way they are lost. */
  loseBytes(digest: string): void {
    this.#blobs = this.#blobs.filter((blob) => blob.locator.digest !== digest);
  }

  notify(): void {
    for (const listener of this.listeners) listener();
  }
}
