import type { RoundSummary } from '@backstitch/review-core';
import type { ReactNode } from 'react';
import { useLabelWriter } from '../context.ts';
import { CountsText } from '../parts/counts.tsx';
import { ReviewFile } from './review-file.tsx';
import { roundName } from './round-select.tsx';

export interface RoundFilesProps {
  rounds: readonly RoundSummary[];
  /** Whether each round gets a heading: where several are shown. */
  titled: boolean;
  openFiles: number;
  headingLevel: number;
}

export function RoundFiles({ rounds, titled, openFiles, headingLevel }: RoundFilesProps): ReactNode {
  let left = openFiles;
  return rounds.map((round) => {
    const open = left;
    left -= round.files.length;
    return (
      <div key={round.id} data-part="review-round-files" data-round={round.id}>
        {titled && <RoundHeading round={round} level={headingLevel} />}
        <ul data-part="review-files">
          {round.files.map((file, index) => (
            <ReviewFile
              key={JSON.stringify([file.root, file.path])}
              file={file}
              defaultOpen={index < open}
              headingLevel={titled ? headingLevel + 1 : headingLevel}
            />
          ))}
        </ul>
      </div>
    );
  });
}

function RoundHeading({ round, level }: { round: RoundSummary; level: number }): ReactNode {
  const writer = useLabelWriter();
  return (
    // biome-ignore lint/a11y/useSemanticElements: the level is the page's to decide
    <div role="heading" aria-level={level} data-part="review-round-heading">
      {roundName(round, writer)} <CountsText additions={round.additions} deletions={round.deletions} />
    </div>
  );
}
