import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createReviewClient } from '../client.ts';
import type { Transport, TransportStatus } from '../transport.ts';
import { createReconnectingTransport } from './reconnecting.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A connection that is opened and lost by hand. */
class Line implements Transport {
  status: TransportStatus = 'connecting';
  sent: string[] = [];
  closed = false;
  #status: (status: 'open' | 'closed') => void = () => {};
  message: (text: string) => void = () => {};
  send(text: string): void {
    this.sent.push(text);
  }
  onMessage(listener: (text: string) => void): () => void {
    this.message = listener;
    return () => {};
  }
  onStatus(listener: (status: 'open' | 'closed') => void): () => void {
    this.#status = listener;
    return () => {};
  }
  become(status: 'open' | 'closed'): void {
    this.status = status;
    this.#status(status);
  }
  close(): void {
    this.closed = true;
    this.become('closed');
  }
}

function setUp(options = {}) {
  const lines: Line[] = [];
  const transport = createReconnectingTransport(() => {
    const line = new Line();
    lines.push(line);
    return line;
  }, options);
  const statuses: string[] = [];
  transport.onStatus?.((status) => statuses.push(status));
  return { lines, transport, statuses };
}

it('passes on what its connection says, and tells each change once', () => {
  const { lines, transport, statuses } = setUp();
  expect(transport.status).toBe('connecting');
  transport.send('early');
  lines[0]!.become('open');
  const heard: string[] = [];
  transport.onMessage((text) => heard.push(text));
  lines[0]!.message('a');
  lines[0]!.become('closed');
  lines[0]!.message('late');
  expect(() => transport.send('x')).toThrow('no connection');
  vi.advanceTimersByTime(250);
  expect(lines).toHaveLength(2);
  expect(transport.status).toBe('closed');
  expect(() => transport.send('x')).toThrow('no connection');
  lines[1]!.become('open');
  transport.send('b');
  lines[1]!.message('c');
  expect([lines[0]!.sent, lines[1]!.sent, heard, statuses]).toEqual([
    ['early'],
    ['b'],
    ['a', 'c'],
    ['open', 'closed', 'open'],
  ]);
});

describe('the wait', () => {
  it('doubles with each failed try up to its bound, and starts over after a connection', () => {
    vi.spyOn(Math, 'random').mockReturnValue(1 - 2 ** -53);
    const { lines } = setUp({ minDelay: 100, maxDelay: 1000 });
    const waits: number[] = [];
    for (let lost = 0; lost < 6; lost++) {
      const [before, start] = [lines.length, Date.now()];
      lines.at(-1)!.become('closed');
      while (lines.length === before) vi.advanceTimersByTime(1);
      waits.push(Date.now() - start);
    }
    lines.at(-1)!.become('open');
    const [before, start] = [lines.length, Date.now()];
    lines.at(-1)!.become('closed');
    while (lines.length === before) vi.advanceTimersByTime(1);
    expect([waits, Date.now() - start]).toEqual([[100, 200, 400, 800, 1000, 1000], 100]);
    vi.restoreAllMocks();
  });

  it('is at least half of that, at random', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { lines } = setUp({ minDelay: 100 });
    lines[0]!.become('closed');
    vi.advanceTimersByTime(49);
    expect(lines).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(lines).toHaveLength(2);
    vi.restoreAllMocks();
  });
});

it('ends for good when it is closed: while open, while waiting, twice', () => {
  for (const lose of [false, true]) {
    const { lines, transport, statuses } = setUp();
    lines[0]!.become('open');
    if (lose) lines[0]!.become('closed');
    transport.close();
    transport.close();
    vi.advanceTimersByTime(60_000);
    expect([lines.length, lines[0]!.closed, transport.status]).toEqual([1, !lose, 'closed']);
    expect(statuses).toEqual(['open', 'closed']);
    expect(vi.getTimerCount()).toBe(0);
  }
});

it("a first try that throws is the caller's mistake; a later one is a failed try", () => {
  expect(() =>
    createReconnectingTransport(() => {
      throw new SyntaxError('the url');
    }),
  ).toThrow('the url');
  const lines: Line[] = [];
  let broken = false;
  const transport = createReconnectingTransport(() => {
    if (broken) throw new Error('no sockets left');
    lines.push(new Line());
    return lines.at(-1)!;
  });
  broken = true;
  lines[0]!.become('closed');
  vi.advanceTimersByTime(5000);
  broken = false;
  vi.advanceTimersByTime(10_000);
  lines[1]!.become('open');
  expect(transport.status).toBe('open');
});

describe('a client over it', () => {
  it('tells its subscribers to ask again about the sessions it asked about, when it is back', async () => {
    const { lines, transport } = setUp();
    const client = createReviewClient(transport);
    const told: unknown[] = [];
    client.onStatus((status) => told.push(status));
    client.subscribe((event) => told.push(event));
    const lost = ['a', 'b', 'a'].map((sessionId) =>
      client.rounds({ sessionId }).catch((error) => error.kind),
    );
    lines[0]!.become('open');
    expect(told).toEqual(['open']);
    lines[0]!.become('closed');
    expect(await Promise.all(lost)).toEqual(['disconnected', 'disconnected', 'disconnected']);
    vi.advanceTimersByTime(250);
    lines[1]!.become('open');
    const again = (sessionId: string) => ({ sessionId, revision: null, snapshotIds: [] });
    expect(told).toEqual(['open', 'closed', 'open', again('a'), again('b')]);
    expect(lines[1]!.sent).toEqual([]);
  });

  it('does so too where the host was not there at first', async () => {
    const { lines, transport } = setUp();
    const client = createReviewClient(transport);
    const told: unknown[] = [];
    client.subscribe((event) => told.push(event));
    const lost = client.rounds({ sessionId: 'a' }).catch((error) => error.kind);
    lines[0]!.become('closed');
    expect(await lost).toBe('disconnected');
    expect(client.status).toBe('closed');
    vi.advanceTimersByTime(250);
    lines[1]!.become('open');
    expect(told).toEqual([{ sessionId: 'a', revision: null, snapshotIds: [] }]);
  });
});
