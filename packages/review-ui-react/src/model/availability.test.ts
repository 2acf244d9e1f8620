import { CHANGE_STATES, IRREVERSIBLE_REASONS } from '@backstitch/review-core';
import { describe, expect, it } from 'vitest';
import { englishLabels } from '../labels/english.ts';
import { createLabelWriter } from '../labels/writer.ts';
import { sampleChange } from '../testing/sample-change.ts';
import type { HostState } from './availability.ts';
import { actionsOf } from './availability.ts';

const writer = createLabelWriter(englishLabels);
const HOST: HostState = { connection: 'open', methods: null, running: new Map() };

function can(part: Parameters<typeof sampleChange>[0], host: Partial<HostState> = {}) {
  return actionsOf(sampleChange(part), { ...HOST, ...host }, writer);
}

describe('what can be done with a change, from its record', () => {
  it('lets an active or a kept change be kept or not, and rolled back', () => {
    expect(can({ state: 'active' })).toMatchObject({
      mark: 'keep',
      markAvailability: { on: true },
      rollback: { on: true },
    });
    expect(can({ state: 'kept' })).toMatchObject({
      mark: 'unkeep',
      markAvailability: { on: true },
      rollback: { on: true },
    });
  });

  it.each(CHANGE_STATES.filter((state) => state !== 'active' && state !== 'kept'))(
    'turns all off in state %s, with a reason',
    (state) => {
      const { markAvailability, rollback } = can({ state });
      expect(markAvailability).toEqual({ on: false, reason: englishLabels.off.state[state as 'pending'] });
      expect(rollback).toEqual(markAvailability);
    },
  );

  it.each(IRREVERSIBLE_REASONS)('turns roll back off for %s, and leaves keep on', (irreversibleReason) => {
    const { markAvailability, rollback } = can({ reversible: false, irreversibleReason });
    expect(markAvailability).toEqual({ on: true });
    expect(rollback).toEqual({ on: false, reason: englishLabels.unavailable[irreversibleReason] });
  });

  it('turns all off without a connection, while an action runs, and where the host does not serve it', () => {
    expect(can({}, { connection: 'closed' }).rollback).toEqual({
      on: false,
      reason: englishLabels.off.disconnected,
    });
    const running = new Map([[sampleChange().id, 'keep' as const]]);
    expect(can({}, { running }).markAvailability).toEqual({ on: false, reason: englishLabels.off.running });
    const viewer = can({}, { methods: ['review.list', 'review.keep'] });
    expect(viewer.markAvailability).toEqual({ on: true });
    expect(viewer.rollback).toEqual({ on: false, reason: englishLabels.off.viewer });
  });

  it('[C020] knows that undoing a creation removes the file', () => {
    expect(can({ before: null, status: 'added' }).rollbackDeletes).toBe(true);
    expect(can({}).rollbackDeletes).toBe(false);
  });
});
