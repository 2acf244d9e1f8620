import type { ReactNode } from 'react';
import { useId } from 'react';
import type { Availability } from '../model/availability.ts';
import { hidden } from './visually-hidden.tsx';

export interface ActionButtonProps {
  name: string;
  label: string;
  /** The accessible name: the label and what it acts on. It begins with the label. */
  fullLabel: string;
  availability: Availability;
  /** Why it is off, as a whole sentence. */
  offText: (reason: string) => string;
  /** The element that shows the reason, where one does; else it is only spoken and in the tooltip. */
  reasonId?: string | undefined;
  onPress: (button: HTMLButtonElement) => void;
}

/**
 * A button that stays where it is and can be reached when it is off, so that its reason can be read and focus is
 * never lost under a hand. `aria-disabled`, not `disabled`, for that.
 */
export function ActionButton(props: ActionButtonProps): ReactNode {
  const { name, label, fullLabel, availability, offText, reasonId, onPress } = props;
  const ownId = useId();
  const reason = availability.on ? null : offText(availability.reason);
  return (
    <>
      <button
        type="button"
        data-part="review-button"
        data-action={name}
        data-state={availability.on ? 'on' : 'off'}
        aria-label={fullLabel}
        aria-disabled={!availability.on}
        aria-describedby={reason === null ? undefined : (reasonId ?? ownId)}
        title={reason ?? undefined}
        onClick={(event) => {
          if (availability.on) onPress(event.currentTarget);
        }}
      >
        {label}
      </button>
      {reason !== null && reasonId === undefined && (
        <span id={ownId} style={hidden}>
          {reason}
        </span>
      )}
    </>
  );
}
