/**
 * What a call promises when it resolves.
 *
 * - `power`: it survives a power cut. Files and directories are synced. The default.
 * - `crash`: a power cut leaves old or new, never a mixture; the newest may be gone. Files are synced, directories
 *   are not.
 * - `none`: it survives the end of this process, by SIGKILL too, and nothing more. Nothing is synced.
 *
 * @since 0.1.0
 */
export type Durability = 'power' | 'crash' | 'none';
