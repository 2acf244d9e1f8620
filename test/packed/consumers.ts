/**
 * Who installs what. Each consumer is a folder below `consumers/`: it is installed alone in an empty folder, compiled
 * against the packed types and run.
 */
export interface Consumer {
  /** The folder below `consumers/`. */
  name: string;
  packages: readonly string[];
  /** What else the consumer installs, in the version of the workspace's catalog. */
  also: readonly string[];
  /** Also compiled as a bundler resolves it: for what runs in a browser. */
  browser: boolean;
}

export const CONSUMERS: readonly Consumer[] = [
  { name: 'durable-node', packages: ['durable-node'], also: ['@types/node'], browser: false },
  // Without zod: only the entry ./schema may need it.
  { name: 'review-core', packages: ['review-core'], also: ['@types/node'], browser: true },
  { name: 'review-core-schema', packages: ['review-core'], also: ['@types/node', 'zod'], browser: true },
  {
    name: 'review-fs-node',
    packages: ['review-fs-node', 'review-core'],
    also: ['@types/node'],
    browser: false,
  },
  { name: 'review-transcript', packages: ['review-transcript'], also: ['@types/node'], browser: false },
  {
    name: 'review-rpc',
    packages: ['review-rpc', 'review-core'],
    also: ['@types/node', '@types/ws', 'ws'],
    browser: false,
  },
  {
    name: 'review-ui-react',
    packages: ['review-ui-react', 'review-core', 'review-rpc'],
    also: ['@types/node', '@types/react', '@types/react-dom', 'react', 'react-dom'],
    browser: true,
  },
];
