import assert from 'node:assert/strict';
import { digest } from '../../digest.ts';
import type { Locator, SessionStore } from '../../ports/store.ts';
import type { Contract } from './runner.ts';
import { tester, utf8 } from './runner.ts';
import type { StoreSetup } from './store.ts';
import { make } from './store-sessions.ts';

export async function put(session: SessionStore, bytes: Uint8Array, hint?: Locator): Promise<Locator> {
  const name = await digest(bytes);
  const locator = await session.write((writer) => writer.put(name, bytes, hint));
  assert.ok('digest' in locator);
  return locator;
}

export function blobTests(contract: Contract<StoreSetup>): void {
  const test = tester(contract);

  test('bytes come back as they were, in other handles too', async ({ store, reopen }) => {
    const session = await make(store, 's');
    const all = [
      new Uint8Array(),
      utf8('a'),
      Uint8Array.from([0, 10, 13, 255, 0]),
      new Uint8Array(300_000).fill(7),
    ];
    const locators: Locator[] = [];
    for (const bytes of all) locators.push(await put(session, bytes));
    const other = await make(await reopen(), 's');
    for (const [index, bytes] of all.entries()) {
      const locator = locators[index]!;
      assert.deepEqual([locator.digest, locator.length], [await digest(bytes), bytes.length]);
      assert.deepEqual(JSON.parse(JSON.stringify(locator)), locator);
      assert.deepEqual(new Uint8Array((await session.blob(locator))!), bytes);
      assert.deepEqual(new Uint8Array((await other.blob(locator))!), bytes);
    }
  });

  test('what is handed in and what comes out are copies', async ({ store }) => {
    const session = await make(store, 's');
    const bytes = utf8('before');
    const locator = await put(session, bytes);
    bytes.fill(0);
    (await session.blob(locator))!.fill(1);
    assert.deepEqual(new Uint8Array((await session.blob(locator))!), utf8('before'));
  });

  test('a locator that does not fit gives null, never other bytes', async ({ store }) => {
    const session = await make(store, 's');
    const good = await put(session, utf8('secret'));
    const wrong: Partial<Locator>[] = [
      { digest: await digest(utf8('other')) },
      { length: good.length - 1 },
      { length: good.length + 1 },
      { length: -1 },
      { length: 2 ** 40 },
      { offset: good.offset + 1 },
      { offset: -1 },
      { offset: 0.5 },
      { segment: 'nobody' },
      { segment: `../s/${good.segment}` },
      { segment: '' },
    ];
    for (const member of wrong)
      assert.equal(await session.blob({ ...good, ...member }), null, JSON.stringify(member));
    const other = await make(store, 'other');
    assert.equal(await other.blob(good), null);
  });

  test('bytes that are gone or damaged give null, and the others stay', async ({
    store,
    loseBytes,
    reopen,
  }) => {
    const session = await make(store, 's');
    const lost = await put(session, utf8('lost'));
    await loseBytes('s', lost);
    const other = await make(await reopen(), 's');
    const kept = await put(other, utf8('kept'));
    assert.equal(await other.blob(lost), null);
    assert.deepEqual(new Uint8Array((await other.blob(kept))!), utf8('kept'));
  });

  test('[D18] a hint is taken only where the bytes are there', async ({ store, reopen, loseBytes }) => {
    const bytes = utf8('the same again');
    const first = await put(await make(store, 's'), bytes);
    const again = await put(await make(await reopen(), 's'), bytes, first);
    assert.deepEqual(again, first);
    await loseBytes('s', first);
    const session = await make(await reopen(), 's');
    for (const hint of [first, { ...first, offset: 999 }, { ...first, segment: '../x' }]) {
      const locator = await put(session, bytes, hint);
      assert.deepEqual(new Uint8Array((await session.blob(locator))!), bytes);
    }
  });
}
