import type { ReactNode } from 'react';

export interface ToggleHeadingProps {
  level: number;
  open: boolean;
  onToggle: () => void;
  /** The id of what it opens. */
  controls: string;
  children: ReactNode;
}

/** A heading that opens what is under it. The page decides the level, so it is a role and not an `<h3>`. */
export function ToggleHeading({ level, open, onToggle, controls, children }: ToggleHeadingProps): ReactNode {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the level is not known here
    <div role="heading" aria-level={level} data-part="review-heading">
      <button
        type="button"
        data-part="review-toggle"
        data-state={open ? 'open' : 'closed'}
        aria-expanded={open}
        aria-controls={open ? controls : undefined}
        onClick={onToggle}
      >
        <span aria-hidden="true" data-part="review-chevron" />
        {children}
      </button>
    </div>
  );
}
