export type { Durability } from './durability.ts';
export {
  DURABLE_ERROR_CODES,
  DurableError,
  type DurableErrorCode,
  type DurableErrorDetails,
} from './durable-error.ts';
export { errnoOf } from './errno.ts';
export type { LineSpan } from './line-log/append.ts';
export type { LogDamage, LogEntry, LogRecord, LogTail } from './line-log/entries.ts';
export { type LineLog, type OpenLineLogOptions, openLineLog } from './line-log/log.ts';
export { type ReadLineLogOptions, readLineLog } from './line-log/read.ts';
export type { OwnerRecord } from './lock/owner.ts';
export { createLockProvider } from './lock/provider.ts';
export type {
  AcquireOptions,
  BreakLockOptions,
  Lock,
  LockBusy,
  LockCapabilities,
  LockCapability,
  LockProvider,
  LockProviderOptions,
} from './lock/types.ts';
export { type MakeDirectoryOptions, makeDirectory } from './make-directory.ts';
export type { PackLocator } from './pack/locator.ts';
export { type OpenPackOptions, openPack, type Pack } from './pack/pack.ts';
export {
  type BoundedFile,
  type BoundedRead,
  type NotRead,
  type ReadBoundedOptions,
  readBounded,
} from './read-bounded.ts';
export { type ReplaceFileOptions, replaceFile, TEMP_PREFIX } from './replace-file.ts';
export { sha256 } from './sha256.ts';
export { syncDirectory } from './sync.ts';
export { writeAll } from './write-all.ts';
