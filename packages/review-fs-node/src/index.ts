export type { NodeWorkspaceOptions } from './node-workspace.ts';
export { openNodeWorkspace } from './node-workspace.ts';
