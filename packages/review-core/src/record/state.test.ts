import { expect, it } from 'vitest';
import { canMove } from './state.ts';
import { CHANGE_STATES } from './v1.ts';

it('[T1] lets a change move along these ways, and no other', () => {
  const moves = CHANGE_STATES.flatMap((from) =>
    CHANGE_STATES.filter((to) => canMove(from, to)).map((to) => `${from} → ${to}`),
  );
  expect(moves).toEqual([
    'pending → active',
    'pending → interrupted',
    'pending → aborted',
    'pending → needsAttention',
    'active → kept',
    'active → undoing',
    'kept → active',
    'kept → undoing',
    'undoing → active',
    'undoing → kept',
    'undoing → rolledBack',
    'undoing → needsAttention',
    'rolledBack → active',
    'rolledBack → kept',
    'interrupted → active',
    'aborted → active',
  ]);
});
