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
  gate('nothing unused', 'knip', '--no-progress', '--no-config-hints'),
  gate('package boundaries', 'turbo', 'boundaries'),
  vitest('topology', 'test/topology'),
  gate('invariants', 'node', '--import', 'tsx', 'tooling/gates/invariants.ts'),
  publishedShape('durable-node'),
  publishedShape('review-core'),
  publishedShape('review-fs-node'),
  publishedShape('review-transcript'),
  publishedShape('review-rpc'),
  publishedShape('review-ui-react'),
  vitest('durable-node', 'packages/durable-node'),
  vitest('review-core', 'packages/review-core'),
  vitest('review-fs-node', 'packages/review-fs-node', { args: ['run', '--exclude', 'src/watched.test.ts'] }),
  vitest('review-transcript', 'packages/review-transcript'),
  vitest('review-rpc', 'packages/review-rpc'),
  vitest('review-ui-react', 'packages/review-ui-react'),
  // A watcher needs the processor to itself: a starved one throttles a change away, whatever we wait.
  vitest('watchers', 'packages/review-fs-node', { args: ['run', 'src/watched.test.ts'], heavy: true }),
  vitest('durability', 'test/durability', { heavy: true, needs: ['strace'], minutes: 8 }),
  vitest('e2e', 'test/e2e', { heavy: true, needs: ['chromium'], minutes: 8 }),
  vitest('packed', 'test/packed', { heavy: true, needs: ['chromium'], minutes: 8 }),
];

/** What strangers find in the packed package: publint and attw. */
function publishedShape(name) {
  return gate(`published shape of ${name}`, 'node', 'tooling/gates/published-shape.mjs', name);
}

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
    minutes: 10,
    heavy: false,
    needs: [],
    ...options,
  };
}
