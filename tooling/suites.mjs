/**
 * Everything that `npm test` runs, in this order. Adding a suite is one line here.
 *
 * - `gate(name, command, ...args)`: a command at the root that passes by exit code 0; it counts as one test.
 * - `vitest(name, directory, options)`: a directory with a vitest configuration; its tests are counted one by one.
 *
 * Options: `heavy` suites run alone, the others share the processors with their neighbours; `needs` names what the
 * machine must have (see `scripts/lib/needs.mjs`); a suite that takes longer than `minutes` is ended and fails.
 */
export const suites = [
  gate('build', 'turbo', 'run', 'build', '--output-logs=errors-only', { heavy: true }),
  gate('types', 'tsc', '-b'),
  gate('types of tests', 'node', 'tooling/gates/test-types.mjs'),
  gate('lint and format', 'biome', 'check', '.'),
  gate('package boundaries', 'turbo', 'boundaries'),
  vitest('topology', 'test/topology'),
  gate('invariants', 'node', '--import', 'tsx', 'tooling/gates/invariants.ts'),
  gate('published shape of durable-node', 'node', 'tooling/gates/published-shape.mjs', 'durable-node'),
  gate('published shape of review-core', 'node', 'tooling/gates/published-shape.mjs', 'review-core'),
  gate('published shape of review-fs-node', 'node', 'tooling/gates/published-shape.mjs', 'review-fs-node'),
  gate(
    'published shape of review-transcript',
    'node',
    'tooling/gates/published-shape.mjs',
    'review-transcript',
  ),
  gate('published shape of review-rpc', 'node', 'tooling/gates/published-shape.mjs', 'review-rpc'),
  gate('published shape of review-ui-react', 'node', 'tooling/gates/published-shape.mjs', 'review-ui-react'),
  vitest('durable-node', 'packages/durable-node'),
  vitest('review-core', 'packages/review-core'),
  vitest('review-fs-node', 'packages/review-fs-node'),
  vitest('review-transcript', 'packages/review-transcript'),
  vitest('review-rpc', 'packages/review-rpc'),
  vitest('review-ui-react', 'packages/review-ui-react'),
];

function gate(name, command, ...args) {
  const options = typeof args.at(-1) === 'object' ? args.pop() : {};
  return {
    kind: 'gate',
    name,
    directory: '.',
    command,
    args,
    minutes: 4,
    heavy: false,
    needs: [],
    ...options,
  };
}

function vitest(name, directory, options = {}) {
  return {
    kind: 'vitest',
    name,
    directory,
    command: 'vitest',
    args: ['run'],
    minutes: 6,
    heavy: false,
    needs: [],
    ...options,
  };
}
