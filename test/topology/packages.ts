/**
 * The borders between the packages, as literals. A change here is a decision: it goes together with a changeset, and
 * a new arrow with an ADR.
 */
export interface Entry {
  /** The source file behind the entry, below the package. */
  source: string;
  /**
   * Every foreign package and `node:` module that importing this entry loads at once, own packages followed to their
   * ends. What waits behind an `import()` is not among them.
   */
  loads: readonly string[];
}

export interface PackageFacts {
  dependencies: readonly string[];
  peers: readonly string[];
  entries: Readonly<Record<string, Entry>>;
  /** Entries that aren't modules. */
  files: readonly string[];
}

/** What core computes with: run ids are digests that a browser must give synchronously. */
const CORE = ['@noble/hashes/sha2.js', 'diff'] as const;
const NODE_FILES = [
  ...['node:child_process', 'node:crypto', 'node:fs', 'node:fs/promises', 'node:os', 'node:path'],
  ...['node:timers/promises', 'node:util', 'node:worker_threads'],
] as const;

export const PACKAGES: Readonly<Record<string, PackageFacts>> = {
  'durable-node': {
    dependencies: [],
    peers: [],
    entries: { '.': { source: 'src/index.ts', loads: NODE_FILES } },
    files: [],
  },
  'review-core': {
    dependencies: ['@noble/hashes', 'diff'],
    peers: ['zod'],
    entries: {
      '.': { source: 'src/index.ts', loads: CORE },
      './schema': { source: 'src/schema.ts', loads: ['zod/mini'] },
      './evidence': { source: 'src/evidence.ts', loads: [] },
      './testing': { source: 'src/testing/index.ts', loads: ['node:assert/strict'] },
    },
    files: [],
  },
  'review-fs-node': {
    dependencies: ['@backstitch/durable-node', '@backstitch/review-core'],
    peers: [],
    entries: { '.': { source: 'src/index.ts', loads: [...CORE, ...NODE_FILES] } },
    files: [],
  },
  'review-transcript': {
    dependencies: ['@backstitch/durable-node', '@backstitch/review-core'],
    peers: [],
    entries: {
      '.': { source: 'src/index.ts', loads: CORE },
      './node': { source: 'src/node/index.ts', loads: [...CORE, ...NODE_FILES] },
    },
    files: [],
  },
  'review-rpc': {
    dependencies: ['@backstitch/review-core', 'ws', 'zod'],
    peers: [],
    entries: {
      // Neither zod nor core: a page that is only a client bundles neither.
      '.': { source: 'src/index.ts', loads: [] },
      './schema': { source: 'src/schema.ts', loads: ['zod'] },
      './node': {
        source: 'src/node/index.ts',
        loads: [...CORE, 'node:crypto', 'node:events', 'node:http', 'ws'],
      },
    },
    files: [],
  },
  'review-ui-react': {
    dependencies: ['@backstitch/review-core', '@backstitch/review-rpc', '@tanstack/react-virtual'],
    peers: ['react', 'react-dom'],
    entries: { '.': { source: 'src/index.ts', loads: ['@tanstack/react-virtual', 'react'] } },
    files: ['./styles.css'],
  },
};

/** Where the neutral packages may speak to Node; everything else in them runs in a browser too. */
export const NODE_CORNERS: Readonly<Record<string, readonly string[]>> = {
  'review-core': [],
  'review-transcript': ['src/node/'],
  'review-rpc': ['src/node/'],
  'review-ui-react': [],
};

/** Own packages whose values a package may use; of every other dependency on an own package, types only. */
export const VALUE_ARROWS: Readonly<Record<string, readonly string[]>> = {
  'durable-node': [],
  'review-core': [],
  'review-fs-node': ['@backstitch/review-core', '@backstitch/durable-node'],
  'review-transcript': ['@backstitch/review-core', '@backstitch/durable-node'],
  'review-rpc': ['@backstitch/review-core'],
  'review-ui-react': ['@backstitch/review-core/evidence'],
};
