import { defineConfig, mergeConfig } from 'vitest/config';
// @boundaries-ignore one shared configuration for all packages; it is not published
import { shared } from '../../vitest.shared.ts';

export default mergeConfig(shared, defineConfig({ test: { include: ['*.test.ts'], testTimeout: 120_000 } }));
