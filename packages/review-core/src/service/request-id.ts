/** The same `requestId` gives the first outcome, also after a restart; with other parameters it is an error. */

import { ReviewError } from '../errors.ts';
import { encodeUtf8 } from '../platform.ts';
import type { Deps } from './deps.ts';
import type { Fold, Request } from './fold.ts';
import type { Session } from './session.ts';

export async function paramsDigest(deps: Deps, params: unknown): Promise<string> {
  const bytes = encodeUtf8(JSON.stringify(params));
  return (await deps.environment.digest(bytes)).slice(0, 32);
}

/** What was first done under this id; null where it is new. An outcome that wrote no event is decided anew. */
export function replayed(
  session: Session,
  fold: Fold,
  requestId: string | null,
  params: string,
): Request | null {
  if (requestId === null) return null;
  const first = fold.requests.get(requestId);
  if (first === undefined) return null;
  if (first.params === params) return first;
  throw new ReviewError(
    'requestReused',
    `The request id ${requestId} was used in the session ${session.id} with other parameters. Make a new id for each request.`,
  );
}
