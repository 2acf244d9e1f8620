import { type CaptureTarget, createReviewService, type ReviewService } from '@backstitch/review-core';
import {
  gapSchema,
  outcomeSchema,
  reviewChangeSchema,
  reviewHunkSchema,
} from '@backstitch/review-core/schema';
import {
  createMemoryProcess,
  createMemoryStore,
  createMemoryWorkspace,
} from '@backstitch/review-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { SETUPS } from '../test/setups.ts';
import { createReviewClient } from './client.ts';
import { methodSchemas } from './schema.ts';

/** The real service behind the wire, over the memory ports: what a panel does to a session. */
describe.each(Object.keys(SETUPS))('a review over %s', (kind) => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function setUp() {
    const process = createMemoryProcess({ app: 'test' });
    const workspace = createMemoryWorkspace({ files: { 'a.txt': 'one\ntwo\n' }, process });
    const service = createReviewService({ store: createMemoryStore({ process }), workspace });
    const setup = await SETUPS[kind]!({ service });
    const client = createReviewClient(await setup.connect());
    closing.push(() => service.close(), setup.close, client.close);
    return { service, workspace, client };
  }

  let calls = 0;
  async function write(service: ReviewService, path: string, text: string): Promise<string> {
    const callId = `call-${++calls}`;
    const request = {
      sessionId: 's',
      messageId: `m-${callId}`,
      callId,
      toolName: 'write',
      operation: 'write',
    } as const;
    const { change } = await service.capture({ ...request, path }, (target: CaptureTarget) =>
      target.write(text),
    );
    return change!.id;
  }

  it('lists, shows, keeps and rolls back; the results are those of the service', async () => {
    const { service, workspace, client } = await setUp();
    await service.startRound({ sessionId: 's', round: { id: 'r1', ordinal: 1 } });
    const edited = await write(service, 'a.txt', 'one\nTWO\n');
    const created = await write(service, 'b.txt', 'new\n');

    const list = await client.list({ sessionId: 's' });
    expect(list).toEqual(await service.list({ sessionId: 's' }));
    expect(list.items.map(({ id }) => id)).toEqual([edited, created]);
    for (const item of list.items) expect(reviewChangeSchema.safeParse(item).error).toBeUndefined();
    for (const gap of list.gaps.items) expect(gapSchema.safeParse(gap).error).toBeUndefined();

    const shown = await client.get({ sessionId: 's', snapshotId: edited });
    expect(shown.hunks.map(({ lines }) => lines)).toEqual([[' one', '-two', '+TWO']]);
    for (const hunk of shown.hunks) expect(reviewHunkSchema.safeParse(hunk).error).toBeUndefined();
    expect(await client.context({ sessionId: 's', snapshotId: edited, lines: 1 })).toHaveProperty('hunks');
    const rounds = await client.rounds({ sessionId: 's' });
    expect(rounds).toMatchObject({ latest: 'r1', rounds: [{ id: 'r1', changes: 2, reviewed: 0 }] });
    expect(methodSchemas.rounds.result.safeParse(rounds).error).toBeUndefined();

    const kept = await client.keep({ sessionId: 's', snapshotIds: [created] });
    expect([kept.status, kept.wrote]).toEqual(['kept', false]);
    const back = await client.rollback({ sessionId: 's', snapshotId: edited });
    expect([back.status, back.wrote, workspace.text('a.txt')]).toEqual(['rolledBack', true, 'one\ntwo\n']);
    for (const outcome of [kept, back]) {
      expect(outcomeSchema.safeParse(outcome).error).toBeUndefined();
      expect(methodSchemas.keep.result.safeParse(outcome).error).toBeUndefined();
    }
  });

  it('the same requestId does a thing once; with other params it is 1006', async () => {
    const { service, client } = await setUp();
    const [first, second] = [await write(service, 'a.txt', 'x'), await write(service, 'b.txt', 'y')];
    const request = { sessionId: 's', snapshotId: first, requestId: 'q' };
    expect((await client.rollback(request)).status).toBe('rolledBack');
    expect((await client.rollback(request)).status).toBe('rolledBack');
    expect((await client.rollback({ ...request, requestId: 'q2' })).status).toBe('alreadyRolledBack');
    await expect(client.rollback({ ...request, snapshotId: second })).rejects.toMatchObject({
      code: 1006,
      kind: 'requestReused',
    });
  });

  it('a change on disk is an outcome, and the file is left alone', async () => {
    const { service, workspace, client } = await setUp();
    const id = await write(service, 'a.txt', 'x');
    workspace.put('a.txt', 'by hand');
    expect(await client.rollback({ sessionId: 's', snapshotId: id })).toMatchObject({
      status: 'conflict',
      reason: 'changedOnDisk',
      wrote: false,
    });
    expect(workspace.text('a.txt')).toBe('by hand');
  });

  it('pages by the cursor of the service, and says where one is not lawful', async () => {
    const { service, client } = await setUp();
    const ids = [];
    for (const name of ['1', '2', '3']) ids.push(await write(service, name, name));
    const first = await client.list({ sessionId: 's', limit: 2 });
    const second = await client.list({ sessionId: 's', limit: 2, cursor: first.nextCursor! });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
    await expect(client.list({ sessionId: 's', cursor: 'made up' })).rejects.toMatchObject({
      code: -32602,
      kind: 'invalidArgument',
    });
  });

  it("another session's id and an unknown one look the same", async () => {
    const { service, client } = await setUp();
    const id = await write(service, 'a.txt', 'x');
    await service.startRound({ sessionId: 'other', round: { id: 'r', ordinal: 1 } });
    const unknown = '00000000-0000-4000-8000-000000000000';
    const errors = await Promise.all(
      [id, unknown].map((snapshotId) =>
        client
          .get({ sessionId: 'other', snapshotId })
          .catch(({ code, kind, message }) => ({ code, kind, message: message.replace(snapshotId, '_') })),
      ),
    );
    expect(errors[0]).toEqual(errors[1]);
    expect(errors[0]).toMatchObject({ code: 1002, kind: 'unknownRecord' });
  });

  it('a capture is heard of', async () => {
    const { service, client } = await setUp();
    await client.list({ sessionId: 's' });
    const heard = new Promise((resolve) =>
      client.subscribe((event) => event.snapshotIds.length > 0 && resolve(event)),
    );
    const id = await write(service, 'a.txt', 'x');
    expect(await heard).toEqual({ sessionId: 's', revision: expect.any(String), snapshotIds: [id] });
  });
});
