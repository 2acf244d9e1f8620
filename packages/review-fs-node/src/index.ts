export type { FileReviewStoreOptions } from './file-review-store.ts';
export { openFileReviewStore } from './file-review-store.ts';
export type { NodeWorkspaceOptions } from './node-workspace.ts';
export { openNodeWorkspace } from './node-workspace.ts';
