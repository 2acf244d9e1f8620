import { defineConfig, mergeConfig } from 'vitest/config';
// @boundaries-ignore one shared configuration for all packages; it is not published
import { shared } from '../../vitest.shared.ts';

export default mergeConfig(
  shared,
  defineConfig({
    test: {
      include: ['*.test.ts'],
      globalSetup: './pack-all.ts',
      // Each test installs from the registry, compiles and runs: two at a time keep two processors busy.
      testTimeout: 240_000,
      maxConcurrency: 2,
      fileParallelism: false,
    },
  }),
);
