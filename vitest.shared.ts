import type { ViteUserConfig } from 'vitest/config';

/**
 * What every package's vitest configuration starts from: own packages are resolved to their sources, so that
 * no test depends on a build that may be stale.
 */
export const shared: ViteUserConfig = {
  resolve: { conditions: ['@backstitch/source', 'import', 'default'] },
  ssr: {
    resolve: {
      conditions: ['@backstitch/source', 'node', 'import', 'default'],
      externalConditions: ['@backstitch/source', 'node', 'import', 'default'],
    },
  },
  test: { include: ['src/**/*.test.ts', 'src/**/*.test.tsx'], testTimeout: 30_000, passWithNoTests: false },
};
