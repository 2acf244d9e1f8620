import {
  createMemoryTransportPair,
  createReviewServer,
  type ReviewServerOptions,
  type Role,
  type Transport,
} from '@backstitch/review-rpc';
import { createFakeService, type FakeService } from './fake-service.ts';

/** A connection as a stranger has it: texts in, texts out. */
export interface Wire {
  service: FakeService;
  transport: Transport;
  /** What came back, parsed, in order. */
  received: Answer[];
  send(text: string): void;
  /** Sends a request under a new id and answers its answer. */
  ask(method: string, params?: unknown): Promise<Answer>;
  /** Resolves when that many messages have come in all. */
  until(count: number): Promise<Answer[]>;
  errors: unknown[];
}

export interface Answer {
  jsonrpc: string;
  id?: unknown;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data: { kind: string } };
}

export interface WireOptions extends Partial<Omit<ReviewServerOptions, 'service'>> {
  role?: Role;
  maxMessageBytes?: number;
}

export function createWire({ role = 'main', maxMessageBytes, ...options }: WireOptions = {}): Wire {
  const service = createFakeService();
  const errors: unknown[] = [];
  const server = createReviewServer({ service, onError: (error) => errors.push(error), ...options });
  const [near, far] = createMemoryTransportPair();
  server.connect(far, { role, ...(maxMessageBytes === undefined ? {} : { maxMessageBytes }) });
  return { service, errors, ...wireOver(near) };
}

export function wireOver(transport: Transport): Omit<Wire, 'service' | 'errors'> {
  const received: Answer[] = [];
  const waiting = new Set<() => void>();
  transport.onMessage((text) => {
    received.push(JSON.parse(text) as Answer);
    for (const check of [...waiting]) check();
  });
  const when = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const check = (): void => {
        const found = find();
        if (found === undefined) return;
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
    });
  let asked = 0;
  return {
    transport,
    received,
    send: (text) => transport.send(text),
    ask(method, params = {}) {
      const id = `ask-${++asked}`;
      transport.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      return when(() => received.find((answer) => answer.id === id));
    },
    until: (count) => when(() => (received.length >= count ? received : undefined)),
  };
}
