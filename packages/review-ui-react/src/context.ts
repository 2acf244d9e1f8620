import type { Context } from 'react';
import { createContext, useContext } from 'react';
import type { LabelWriter } from './labels/writer.ts';
import type { ReviewStore } from './store/review-store.ts';

export interface ReviewContextValue {
  store: ReviewStore;
  writer: LabelWriter;
}

export const ReviewContext: Context<ReviewContextValue | null> = createContext<ReviewContextValue | null>(
  null,
);

export function useReviewContext(): ReviewContextValue {
  const value = useContext(ReviewContext);
  if (value === null) throw new Error('This part of the review needs a <ReviewProvider> above it.');
  return value;
}

export function useLabelWriter(): LabelWriter {
  return useReviewContext().writer;
}
