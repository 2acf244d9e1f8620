/**
 * The borders between the packages, as literals. A change here is a decision: it goes together with a changeset, and
 * a new arrow with an ADR.
 */
export interface Entry {
  /** The source file behind the entry, below the package. */
  source: string;
  /** Every other package and `node:` module that importing this entry loads, own packages followed to their ends. */
  loads: readonly string[];
}

export interface PackageFacts {
  dependencies: readonly string[];
  peers: readonly string[];
  entries: Readonly<Record<string, Entry>>;
  /** Entries that aren't modules. */
  files: readonly string[];
}

const NODE_FILES = ['node:crypto', 'node:fs', 'node:os', 'node:path'] as const;

export const PACKAGES: Readonly<Record<string, PackageFacts>> = {
  'durable-node': {
    dependencies: [],
    peers: [],
    entries: { '.': { source: 'src/index.ts', loads: NODE_FILES } },
    files: [],
  },
  'review-core': {
    dependencies: ['diff'],
    peers: ['zod'],
    entries: {
      '.': { source: 'src/index.ts', loads: ['diff'] },
      './schema': { source: 'src/schema.ts', loads: ['zod'] },
      './evidence': { source: 'src/evidence.ts', loads: [] },
      './testing': { source: 'src/testing/index.ts', loads: ['node:assert/strict'] },
    },
    files: [],
  },
  'review-fs-node': {
    dependencies: ['@backstitch/durable-node', '@backstitch/review-core'],
    peers: [],
    entries: { '.': { source: 'src/index.ts', loads: [...NODE_FILES, 'diff'] } },
    files: [],
  },
  'review-transcript': {
    dependencies: ['@backstitch/durable-node', '@backstitch/review-core'],
    peers: [],
    entries: {
      '.': { source: 'src/index.ts', loads: [] },
      './node': { source: 'src/node/index.ts', loads: NODE_FILES },
    },
    files: [],
  },
  'review-rpc': {
    dependencies: ['@backstitch/review-core', 'ws', 'zod'],
    peers: [],
    entries: {
      '.': { source: 'src/index.ts', loads: [] },
      './schema': { source: 'src/schema.ts', loads: ['zod'] },
      './node': { source: 'src/node/index.ts', loads: ['node:http', 'ws'] },
    },
    files: [],
  },
  'review-ui-react': {
    dependencies: ['@backstitch/review-core', '@backstitch/review-rpc', '@tanstack/react-virtual'],
    peers: ['react'],
    entries: {
      '.': { source: 'src/index.ts', loads: ['@tanstack/react-virtual', 'react', 'react/jsx-runtime'] },
    },
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
