import type { CSSProperties, ReactNode } from 'react';

/** In the element itself, so that text for screen readers stays off the screen without the stylesheet too. */
export const hidden: CSSProperties = {
  position: 'absolute',
  width: 1,
  height: 1,
  margin: -1,
  padding: 0,
  border: 0,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
};

export function VisuallyHidden({ children }: { children: ReactNode }): ReactNode {
  return <span style={hidden}>{children}</span>;
}
