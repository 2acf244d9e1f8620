/**
 * The contract of the log port: what `ports/log.ts` promises, as tests.
 *
 * @since 0.1.0
 */
import assert from 'node:assert/strict';
import type { LogState, ReviewLog } from '../../ports/log.ts';
import type { ChangeState } from '../../record/v1.ts';
import type { Contract } from './runner.ts';
import { deferred, tester } from './runner.ts';

export interface LogSetup {
  log: ReviewLog;
  /** Appends the line that owns the snapshots, as a host does after its tool. */
  addOwner(messageId: string, snapshotIds: readonly string[]): Promise<void>;
  /** The state lines in the log, in their order. */
  lines(): Promise<LogState[]>;
  cleanup(): Promise<void>;
}

const line = (state: ChangeState, snapshotId = 's1', messageId = 'm1'): LogState => ({
  messageId,
  snapshotId,
  state,
});

/** @since 0.1.0 */
export function logContract(contract: Contract<LogSetup>): void {
  contract.describe('log contract', () => {
    appendTests(contract);
    resyncTests(contract);
  });
}

function appendTests(contract: Contract<LogSetup>): void {
  const test = tester(contract);

  test('a state is appended once, and its repetition is a duplicate', async ({ log, addOwner, lines }) => {
    await addOwner('m1', ['s1']);
    assert.equal(await log.appendState(line('kept')), 'appended');
    assert.equal(await log.appendState(line('kept')), 'duplicate');
    assert.equal(await log.appendState(line('rolledBack')), 'appended');
    assert.equal(await log.appendState(line('kept')), 'appended');
    assert.deepEqual(await lines(), [line('kept'), line('rolledBack'), line('kept')]);
  });

  test('snapshots of one message have states of their own', async ({ log, addOwner, lines }) => {
    await addOwner('m1', ['s1', 's2']);
    await log.appendState(line('kept', 's1'));
    assert.equal(await log.appendState(line('kept', 's2')), 'appended');
    assert.deepEqual(await lines(), [line('kept', 's1'), line('kept', 's2')]);
  });

  test('an owner that is not there is a value, and nothing is written', async ({ log, addOwner, lines }) => {
    assert.equal(await log.appendState(line('rolledBack')), 'ownerMissing');
    assert.deepEqual(await lines(), []);
    await addOwner('m1', ['s1']);
    assert.equal(await log.appendState(line('rolledBack')), 'appended');
  });

  test('a new owner is told to listeners, until they stop', async ({ log, addOwner }) => {
    const told = deferred();
    const owners: string[] = [];
    const stop = log.onOwner((messageId) => {
      owners.push(messageId);
      told.resolve();
    });
    await addOwner('m1', ['s1']);
    await told.promise;
    stop();
    const second = deferred();
    const stopSecond = log.onOwner(second.resolve);
    await addOwner('m2', ['s2']);
    await second.promise;
    stopSecond();
    assert.deepEqual(owners, ['m1']);
  });
}

function resyncTests(contract: Contract<LogSetup>): void {
  const test = tester(contract);

  test('resync appends what lags, and only that', async ({ log, addOwner, lines }) => {
    await addOwner('m1', ['s1', 's2', 's3']);
    await log.appendState(line('kept', 's1'));
    const states = [
      line('kept', 's1'),
      line('rolledBack', 's2'),
      line('active', 's3'),
      line('kept', 's4', 'm4'),
    ];
    assert.deepEqual(await log.resync(states), { appended: 1, ownerMissing: 1 });
    assert.deepEqual(await log.resync(states), { appended: 0, ownerMissing: 1 });
    assert.deepEqual(await lines(), [line('kept', 's1'), line('rolledBack', 's2')]);
  });

  test('resync takes a state back to active', async ({ log, addOwner, lines }) => {
    await addOwner('m1', ['s1']);
    await log.appendState(line('kept'));
    assert.deepEqual(await log.resync([line('active')]), { appended: 1, ownerMissing: 0 });
    assert.deepEqual((await lines()).at(-1), line('active'));
  });

  test('resync of nothing writes nothing', async ({ log, lines }) => {
    assert.deepEqual(await log.resync([]), { appended: 0, ownerMissing: 0 });
    assert.deepEqual(await lines(), []);
  });
}
