import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository, without a slash at its end. */
export const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');

/** The environment in which the workspace's own tools are found and none asks, counts or colours. */
export function toolEnvironment() {
  const path = process.env.PATH ?? '';
  return {
    PATH: [join(root, 'node_modules', '.bin'), path].join(delimiter),
    CI: 'true',
    NO_COLOR: '1',
    FORCE_COLOR: '0',
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
  };
}
