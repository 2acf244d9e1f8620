/**
 * The only list of methods. Each is exported by the name that the client calls it by; everything else
 * (client, server, schemas, types) reads this module as a whole.
 */
export { context } from './methods/context.ts';
export { discover } from './methods/discover.ts';
export { get } from './methods/get.ts';
export { keep } from './methods/keep.ts';
export { list } from './methods/list.ts';
export { rollback } from './methods/rollback.ts';
export { rounds } from './methods/rounds.ts';
export { unkeep } from './methods/unkeep.ts';
