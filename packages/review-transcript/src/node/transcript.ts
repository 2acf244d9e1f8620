import {
  type AppendStateResult,
  type ChangeState,
  type LogState,
  ReviewError,
  type ReviewLog,
} from '@backstitch/review-core';
import { type DamagedRegion, type Layout, toRecord } from '../fold.ts';
import { encodeHostLine, type HostLine, type TranscriptItem } from '../lines.ts';
import type { WindowRequest } from '../window.ts';
import { callHost } from './call-host.ts';
import { storeDamagedAppend } from './failures.ts';
import { resolveTranscript, stampOf } from './file.ts';
import { LiveLayout } from './live-layout.ts';
import { findOwner, readHealth, readWindow, withStates } from './read.ts';
import { checkLogState, planStates, type StatePlan } from './states.ts';
import type { AppendedLine, OpenTranscriptOptions, Transcript, TranscriptWindow } from './types.ts';
import { MAX_LINE_BYTES, Writer } from './writer.ts';

/**
 * Opens a transcript for reading and appending. Nothing is written until the first append.
 *
 * @throws ReviewError `storeFailed`: no directory there, or something that is no regular file
 * @since 0.1.0
 */
export async function openTranscript(options: OpenTranscriptOptions): Promise<Transcript> {
  if (typeof options.path !== 'string' || options.path === '' || options.path.includes('\0')) {
    throw new ReviewError('invalidArgument', 'A transcript needs the path of its file.');
  }
  const path = await resolveTranscript(options.path);
  stampOf(path);
  return new FileTranscript(path, options.onTouched ?? null);
}

class FileTranscript implements Transcript {
  readonly path: string;
  readonly #live: LiveLayout;
  readonly #writer: Writer;
  readonly #onTouched: (() => void) | null;
  readonly #ownerListeners = new Set<(messageId: string) => void>();
  #closed = false;

  constructor(path: string, onTouched: (() => void) | null) {
    this.path = path;
    this.#live = new LiveLayout(path);
    this.#writer = new Writer(this.#live);
    this.#onTouched = onTouched;
  }

  async append(line: HostLine): Promise<AppendedLine> {
    const text = encodeHostLine(line);
    if (Buffer.byteLength(text) > MAX_LINE_BYTES) {
      const message = `A transcript line has at most ${MAX_LINE_BYTES} bytes, LF not counted: shorten its payload.`;
      throw new ReviewError('invalidArgument', message, { path: this.path });
    }
    const draft = { text, value: { type: line.type, id: line.id } };
    return this.#run(() =>
      this.#writer.write(() => ({
        drafts: [draft],
        sync: true,
        answer: ([place], layout) => ({ ...place!, ordinal: this.#ordinalAt(layout, place!.offset) }),
      })),
    );
  }

  async appendReviewState(state: LogState): Promise<AppendStateResult> {
    const [result] = await this.#appendStates([state], null);
    return result!;
  }

  async readAll(): Promise<{ items: TranscriptItem[] }> {
    return this.#run(async () => {
      const { layout, lines } = await this.#live.readAll();
      return { items: withStates(layout, lines) };
    });
  }

  readWindow(request: WindowRequest): Promise<TranscriptWindow> {
    return this.#run(() => readWindow(this.#live, request));
  }

  findTool(messageId: string): Promise<TranscriptItem | null> {
    return this.#run(() => findOwner(this.#live, messageId));
  }

  async reviewStates(): Promise<Record<string, Record<string, ChangeState>>> {
    return this.#run(async () => {
      const { states } = await this.#live.refresh();
      return toRecord([...states].map(([messageId, each]) => [messageId, toRecord(each)]));
    });
  }

  health(): Promise<{ damaged: DamagedRegion[] }> {
    return this.#run(() => readHealth(this.#live, this.#writer));
  }

  reviewLog(): ReviewLog {
    return {
      // The port says that a snapshot without any line is active.
      appendState: async (state) => (await this.#appendStates([state], 'active'))[0]!,
      resync: async (states) => {
        const results = await this.#appendStates(states, 'active');
        const count = (wanted: AppendStateResult): number => results.filter((each) => each === wanted).length;
        return { appended: count('appended'), ownerMissing: count('ownerMissing') };
      },
      onOwner: (listener) => {
        this.#ownerListeners.add(listener);
        return () => void this.#ownerListeners.delete(listener);
      },
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#ownerListeners.clear();
    await this.#writer.close();
  }

  async #appendStates(
    states: readonly LogState[],
    implied: ChangeState | null,
  ): Promise<AppendStateResult[]> {
    const checked = states.map(checkLogState);
    if (checked.length === 0) return [];
    const plan = await this.#run(() =>
      this.#writer.write(async (layout) => {
        const planned: StatePlan = await planStates(this.#live, layout, checked, implied);
        // A duplicate too is answered only when the line that it repeats is on disk.
        const sync = planned.results.some((result) => result !== 'ownerMissing');
        return { drafts: planned.drafts, sync, answer: () => planned };
      }),
    );
    if (plan.drafts.length > 0 && this.#onTouched !== null) callHost(this.#onTouched);
    return plan.results;
  }

  /** Every verb goes through here: closed is said once, and owners that came in meanwhile are told behind it. */
  async #run<T>(verb: () => Promise<T>): Promise<T> {
    if (this.#closed) {
      throw new ReviewError('closed', `The transcript ${this.path} is closed: open it again.`, {
        path: this.path,
      });
    }
    try {
      return await verb();
    } finally {
      this.#tellOwners();
    }
  }

  #tellOwners(): void {
    for (const messageId of this.#live.takeNewOwners()) {
      for (const listener of this.#ownerListeners) callHost(() => listener(messageId));
    }
  }

  #ordinalAt(layout: Layout, offset: number): number {
    const row = layout.rows.findLast((each) => each.offset === offset);
    if (row === undefined) throw storeDamagedAppend(this.path, offset);
    return row.ordinal;
  }
}
