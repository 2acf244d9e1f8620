/** What tests run in a process of its own: `<verb> <store directory> <session> …`. */
import { once } from 'node:events';
import { sha256 } from '@backstitch/durable-node';
import { isBusy } from '@backstitch/review-core';
import { openStore } from './file-review-store.ts';

const [verb, directory, id, ...rest] = process.argv.slice(2) as [string, string, string, ...string[]];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const store = await openStore({ directory, busyTimeoutMs: 30_000, owner: 'child' });
const session = (await store.session(id, { create: true }))!;

const verbs: Record<string, () => Promise<void>> = {
  async owner() {
    say(JSON.stringify(store.owner));
  },

  async fill() {
    await session.write(async (writer) => {
      await writer.put(sha256(Buffer.from('x')), Buffer.from('x'));
      await writer.append([{ t: 'a' }]);
    });
    say('filled');
  },

  /** Holds the session until its input ends; then appends once more. */
  async hold() {
    await session.write(async (writer) => {
      await writer.append([{ t: 'held' }]);
      say('held');
      await once(process.stdin.resume(), 'end');
      await writer.append([{ t: 'late' }]);
    });
  },

  /** Appends pairs, each in a write of its own, and says what was acknowledged. */
  async pairs() {
    const [name, count] = rest as [string, string];
    for (let n = 0; n < Number(count); n++) {
      const answer = await session.write(async (writer) => {
        await writer.append([{ t: 'first', name, n }]);
        await writer.append([{ t: 'second', name, n, text: 'x'.repeat((n * 37) % 3000) }]);
      });
      if (isBusy(answer)) throw new Error('busy');
      say(String(n));
    }
  },

  /** Writes once, and says how that ended; then once more. */
  async twice() {
    for (const t of ['one', 'two']) {
      try {
        await session.write(async (writer) => {
          const locator = await writer.put(sha256(Buffer.from('same')), Buffer.from('same'));
          await writer.append([{ t, locator }]);
        });
        say('ok');
      } catch (error) {
        const { code, errno } = error as { code?: string; errno?: string };
        say(`${code} ${errno}`);
      }
    }
  },
};

await verbs[verb]!();
await store.close();
