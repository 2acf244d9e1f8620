import type { Context } from 'react';
import { createContext, useContext } from 'react';

/** Brings a change into view and focuses it, whichever round it is in. */
export type Reveal = (snapshotId: string) => void;

export const RevealContext: Context<Reveal | null> = createContext<Reveal | null>(null);

/** Null for a card that stands outside a panel. */
export function useReveal(): Reveal | null {
  return useContext(RevealContext);
}
