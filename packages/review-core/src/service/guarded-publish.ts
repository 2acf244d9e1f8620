/**
 * The write of a captured tool: staged, published over exactly the bytes that were read, and put back where a
 * foreign write came between.
 */
import { ReviewError } from '../errors.ts';
import type { LockedFile, Next } from '../ports/workspace.ts';
import type { FileState } from '../record/v1.ts';

/** The write is refused or failed, and the target is as it was; or it was carried out and could not be tidied up. */
export type Published = { state: FileState | null } | { error: unknown; unsettled: boolean };

/**
 * Publishes `next` over exactly what `file` saw. `unsettled`: names that the capture lists may be left beside the
 * target, and what stands there may be a foreign program's; recovery tells, by the files themselves.
 */
export async function guardedPublish(
  file: LockedFile,
  next: Next,
  announce: () => Promise<void>,
): Promise<Published> {
  refuseKinds(file);
  const staged = await file.stage(next);
  await announce();
  let published = false;
  try {
    await staged.write();
    const result = await staged.publish();
    published = result.published !== false;
    if (result.published === true) {
      await staged.settle();
      return { state: result.state };
    }
    await staged.abort();
    return { error: changedSinceRead(file, result.message), unsettled: published };
  } catch (error) {
    // A disk that is full, a directory that can't be written, a foreign write that came after the publish.
    if (!published) await staged.abort();
    return { error, unsettled: published };
  }
}

export function changedSinceRead(file: LockedFile, message: string): ReviewError {
  return new ReviewError(
    'changedSinceRead',
    `'${file.path}' is not what was read when the call began: ${message} Nothing was written; read it again.`,
    { path: file.path },
  );
}

function refuseKinds(file: LockedFile): void {
  const { seen } = file;
  if (seen.at === 'symlink') {
    throw new ReviewError(
      'unsupportedKind',
      `'${file.path}' is a symbolic link and is not written through. Capture the file that it points to.`,
      { path: file.path },
    );
  }
  if (seen.at === 'file' && seen.links > 1) {
    throw new ReviewError(
      'unsupportedKind',
      `'${file.path}' has ${seen.links} hard links; writing it would part them. Write it in place yourself.`,
      { path: file.path },
    );
  }
}
