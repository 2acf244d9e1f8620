import { describe, expect, it } from 'vitest';
import { digest } from '../digest.ts';
import type { EventData, SessionStore } from '../ports/store.ts';
import type { MemoryStore } from './index.ts';
import { createMemoryStore, ProcessKilled, storeContract } from './index.ts';

storeContract({
  describe,
  it,
  async setup() {
    const store = createMemoryStore({ busyTimeoutMs: 1000 });
    return {
      store,
      reopen: async () => store.peer(),
      async hold(sessionId) {
        const release = store.hold(sessionId);
        return async () => release();
      },
      takeAway: async (sessionId) => store.takeAway(sessionId),
      damage: async (sessionId, index) => store.damage(sessionId, { index }),
      tear: async (sessionId) => store.tear(sessionId),
      loseBytes: async (sessionId, locator) => store.loseBytes(sessionId, locator.digest),
      removeSession: async (sessionId) => store.removeSession(sessionId),
      async deadOwner() {
        const peer = store.peer();
        peer.kill();
        return peer.owner;
      },
      cleanup: () => store.close(),
    };
  },
});

async function open(store: MemoryStore): Promise<SessionStore> {
  return (await store.session('s', { create: true }))!;
}

async function events(session: SessionStore): Promise<(EventData | string)[]> {
  const all: (EventData | string)[] = [];
  for await (const item of session.read()) all.push('event' in item ? item.event : item.unreadable);
  return all;
}

describe('memory store', () => {
  it('[D4] a power cut keeps what a write resolved for, and nothing that no sync reached', async () => {
    const store = createMemoryStore();
    const session = await open(store);
    const bytes = new TextEncoder().encode('x');
    const name = await digest(bytes);
    await session.write((writer) => writer.append([{ t: 'synced' }]));
    await session.write((writer) => writer.append([{ t: 'mark' }]), { sync: false });
    const locator = await session.write((writer) => writer.put(name, bytes), { sync: false });
    store.powerCut();
    await expect(events(session)).rejects.toBeInstanceOf(ProcessKilled);
    const after = await open(store.peer());
    expect(await events(after)).toEqual([{ t: 'synced' }]);
    expect(await after.blob(locator as never)).toBeNull();
  });

  it('a later sync covers what was appended without one', async () => {
    const store = createMemoryStore();
    const session = await open(store);
    await session.write((writer) => writer.append([{ t: 'mark' }]), { sync: false });
    await session.write((writer) => writer.append([{ t: 'synced' }]));
    store.powerCut();
    expect(await events(await open(store.peer()))).toEqual([{ t: 'mark' }, { t: 'synced' }]);
  });

  it('a failed sync rejects, and a later one does not make up for it', async () => {
    const store = createMemoryStore();
    const session = await open(store);
    store.failNext('sync', 'EIO');
    await expect(session.write((writer) => writer.append([{ t: 'lost' }]))).rejects.toMatchObject({
      code: 'storeFailed',
      errno: 'EIO',
    });
    await session.write((writer) => writer.append([{ t: 'kept' }]));
    expect(await events(session)).toEqual([{ t: 'lost' }, { t: 'kept' }]);
    store.powerCut();
    expect(await events(await open(store.peer()))).toEqual(['damaged', { t: 'kept' }]);
  });

  it('a step fails once, where the test asks for it', async () => {
    const store = createMemoryStore();
    const session = await open(store);
    const append = () => session.write((writer) => writer.append([{ t: 'a' }]));
    store.failNext('append', 'ENOSPC');
    await expect(append()).rejects.toMatchObject({ code: 'storeFailed', errno: 'ENOSPC' });
    await append();
    expect(await events(session)).toEqual([{ t: 'a' }]);
  });

  it('[D7] a killed holder lets go, and can append no more', async () => {
    const store = createMemoryStore();
    const session = await open(store);
    const peer = store.peer();
    let inside = () => {};
    const entered = new Promise<void>((resolve) => {
      inside = resolve;
    });
    const late = (await open(peer)).write(async (writer) => {
      inside();
      await new Promise((resolve) => setTimeout(resolve, 5));
      await writer.append([{ t: 'late' }]);
    });
    await entered;
    const next = session.write((writer) => writer.append([{ t: 'next' }]));
    peer.kill();
    await next;
    await expect(late).rejects.toBeInstanceOf(ProcessKilled);
    expect(await events(session)).toEqual([{ t: 'next' }]);
    expect(await store.isOwnerDead(peer.owner)).toBe(true);
  });

  it('members that the store adds on disk are refused in an event', async () => {
    const session = await open(createMemoryStore());
    for (const member of ['v', 'gen', 'minReader', 'check']) {
      const write = session.write((writer) => writer.append([{ t: 'a', [member]: 1 }]));
      await expect(write).rejects.toMatchObject({ code: 'invalidArgument' });
    }
  });

  it('lists what a newer version wrote', async () => {
    const store = createMemoryStore();
    const session = await open(store);
    await session.write((writer) => writer.append([{ t: 'a' }]));
    store.damage('s', { unreadable: 'newer' });
    expect(await events(session)).toEqual([{ t: 'a' }, 'newer']);
  });
});
