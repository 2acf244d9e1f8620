/**
 * Every name that another package can import, by entry: values first, then types. A change here is an API decision: it
 * goes together with a changeset, and an existing name leaves only with a new major version (until 1.0: a new minor).
 */
export interface PublicNames {
  values: readonly string[];
  types: readonly string[];
}

export const PUBLIC_NAMES: Readonly<Record<string, PublicNames>> = {
  '@backstitch/durable-node': names(
    `
      DURABLE_ERROR_CODES DurableError TEMP_PREFIX createLockProvider errnoOf makeDirectory openLineLog
      openPack readBounded readLineLog replaceFile sha256 syncDirectory writeAll
    `,
    `
      AcquireOptions BoundedFile BoundedRead BreakLockOptions Durability DurableErrorCode
      DurableErrorDetails LineLog LineSpan Lock LockBusy LockCapabilities LockCapability LockProvider
      LockProviderOptions LogDamage LogEntry LogRecord LogTail MakeDirectoryOptions NotRead
      OpenLineLogOptions OpenPackOptions OwnerRecord Pack PackLocator ReadBoundedOptions
      ReadLineLogOptions ReplaceFileOptions
    `,
  ),
  '@backstitch/review-core': names(
    `
      CAPABILITY_KEYS CHANGE_STATES DEFAULT_DETAILS_LIMITS DEFAULT_LIMITS ERROR_CODES EVIDENCE_KINDS
      FACETS GAP_REASONS IRREVERSIBLE_REASONS OPERATIONS OUTCOME_REASONS OUTCOME_STATUSES RECORD_VERSION
      REFUSALS ReviewError SCOPES STATUSES UNSUPPORTED_KINDS assignRuns canMove createReviewService digest
      facetsOf isBusy isRefused isSensitivePath previewChange reviewDetails
    `,
    `
      AgentRef AppendStateResult BeginRequest Busy Capabilities Capability CapabilityKey CaptureRequest
      CaptureResult CaptureTarget ChangeState ChangeStatus ContextResult DetailsLimits EntryKind
      Environment EventData EvidenceKind Facet FileIntent FileState FinishResult Gap GapReason
      IrreversibleReason ListResult Located Locator LockHolder LockOptions LockedFile LogState Next
      Operation Outcome OutcomeReason OutcomeStatus OwnerRecord Preview PreviewLimits PublishResult
      RecoverResult Refusal Refused ResyncResult ReviewChange ReviewDetails ReviewErrorCode
      ReviewErrorDetails ReviewEvent ReviewHunk ReviewLog ReviewPolicy ReviewService ReviewServiceOptions
      ReviewStore Revision RoundFile RoundRef RoundSummary RoundsResult RunId Scope Seen SessionInfo
      SessionStore SessionWriter Settlement Staged StoredEvent UnreadableEvent UnreadableRecord
      UnsupportedKind Workspace WriteOptions
    `,
  ),
  '@backstitch/review-core/schema': names(
    `
      fileStateSchema gapSchema outcomeSchema reviewChangeSchema reviewHunkSchema unreadableRecordSchema
    `,
    '',
  ),
  '@backstitch/review-core/evidence': names(
    'checkChange checkHunks hunksWithContext isReadable runsOf toUnifiedPatch',
    'Checked ReviewChange ReviewHunk Run RunId',
  ),
  '@backstitch/review-core/testing': names(
    `
      MEMORY_STEPS ProcessKilled createMemoryLog createMemoryProcess createMemoryStore
      createMemoryWorkspace logContract storeContract workspaceContract
    `,
    `
      Contract ContractStep LogSetup MemoryLog MemoryProcess MemoryStep MemoryStore MemoryStoreOptions
      MemoryStoreStep MemoryWorkspace MemoryWorkspaceOptions NodeKind PutOptions Runner StepHook
      StoreSetup WorkspaceContract WorkspaceSetup
    `,
  ),
  '@backstitch/review-fs-node': names(
    'openFileReviewStore openNodeWorkspace',
    'FileReviewStoreOptions NodeWorkspaceOptions',
  ),
  '@backstitch/review-transcript': names(
    `
      STATE_LINE_TYPE STATE_LINE_VERSION classifyLine createLayout encodeHostLine encodeStateLine
      foldEntry latestState overlay ownedSnapshotIds selectWindow toWellFormedValue
    `,
    `
      ClassifiedLine DamageReason DamagedRegion FoldedLine Hash HostLine ItemReview Layout LineDamage
      LineEntry Row TranscriptItem WindowCursors WindowRequest
    `,
  ),
  '@backstitch/review-transcript/node': names(
    'openTranscript',
    `
      AppendedLine DamageReason DamagedRegion HostLine ItemReview OpenTranscriptOptions Transcript
      TranscriptItem TranscriptWindow WindowCursors WindowRequest
    `,
  ),
  '@backstitch/review-rpc': names(
    `
      DEFAULT_MAX_MESSAGE_BYTES PROTOCOL_REVISION RPC_ERROR_CODES ReviewRpcError createMemoryTransportPair
      createReconnectingTransport createReviewClient createReviewServer webSocketTransport
    `,
    `
      AuthorizeRequest CallOptions CancelSignal ConnectOptions ContextParams DiscoverResult GetParams
      GetResult KeepParams ListParams MethodCapability ReconnectOptions ReviewCalls ReviewClient
      ReviewServer ReviewServerOptions Role RollbackParams RoundsParams RpcErrorKind ServerConnection
      Transport TransportStatus WebSocketLike
    `,
  ),
  '@backstitch/review-rpc/schema': names('changedSchema methodSchemas', 'MethodSchema'),
  '@backstitch/review-rpc/node': names('serveWebSocket', 'ServeWebSocketOptions WebSocketEndpoint'),
  '@backstitch/review-ui-react': names(
    `
      ConflictNotice HunkView ReviewChangeCard ReviewPanel ReviewProvider englishLabels useReviewActions
      useReviewChange useReviewList useReviewRounds
    `,
    `
      ActionName ActionReport Advice ConflictNoticeProps ContextLines CopyResult HunkViewProps Loaded
      PartialLabels PluralText ReviewActions ReviewChangeCardProps ReviewChangeResult ReviewLabels
      ReviewListResult ReviewListing ReviewPanelProps ReviewProviderProps ReviewRoundsResult
      RoundSelection UseReviewChangeOptions
    `,
  ),
};

function names(values: string, types: string): PublicNames {
  return { values: words(values), types: words(types) };
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
