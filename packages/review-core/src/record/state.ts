import type { ChangeState } from './v1.ts';

/**
 * The legal moves of a change, all in one place.
 *
 * `pending` is a capture whose end is not recorded yet. A capture that was given up (`aborted`) or cut short
 * (`interrupted`) becomes `active` by a late finish. `undoing` is an undo that was consented to: it ends in
 * `rolledBack`, or in the state before it. Redo takes `rolledBack` back to the state before the undo. From
 * `needsAttention` only a person finds the way, by the files that the record names.
 */
const MOVES: Readonly<Record<ChangeState, readonly ChangeState[]>> = {
  pending: ['active', 'aborted', 'interrupted', 'needsAttention'],
  active: ['kept', 'undoing'],
  kept: ['active', 'undoing'],
  undoing: ['rolledBack', 'active', 'kept', 'needsAttention'],
  rolledBack: ['active', 'kept'],
  interrupted: ['active'],
  aborted: ['active'],
  needsAttention: [],
};

/** Whether a change may go from one state to the other. Staying where it is is no move. */
export function canMove(from: ChangeState, to: ChangeState): boolean {
  return MOVES[from].includes(to);
}
