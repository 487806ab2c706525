/// Decides which stage of a pass comes next. It is told how the present one ended and answers
/// with the next; `SyncStage.end` is the last.
struct SyncPass: Equatable {
  /// How the present stage ended, or that somebody wants the pass to end.
  enum Event: Equatable {
    /// A stage of which nothing more needs to be known succeeded.
    case succeeded
    case listed(ListKind)
    /// The local keys are there: so many of them have to go, which somebody has allowed or not.
    case compared(removals: Int, local: Int, areAllowed: Bool = false)
    /// So many items are to be downloaded, and of those that have to go so many are among them.
    case prepared(downloads: Int, spared: Int)
    case downloaded(DownloadsEnd)
    /// The commit returned; `failures` when it reported any.
    case committed(failures: Bool)
    /// The stage threw.
    case failed
    /// The stage was cut short by a cancellation.
    case interrupted
    /// The pass is to end before the stage that was answered last begins.
    case cancelRequested
  }

  enum DownloadsEnd: Equatable {
    /// Every item was tried; `failures` when at least one failed.
    case allTried(failures: Bool)
    /// A failure stopped the rest (`stopOnError`).
    case stopped
    /// `cancel()` left items untried or cut short.
    case cancelled
  }

  /// What a pass goes by.
  struct Rules: Equatable {
    var kind = PassKind.sync
    var removal = SyncOptions.Removal.beforeDownloads
    var removalLimit: RemovalLimit
    var downloadPreview = false
    var downloadContent = true

    init(_ options: SyncOptions = SyncOptions(), for kind: PassKind = .sync) {
      self.kind = kind
      removal = options.removal
      removalLimit = options.removalLimit
      downloadPreview = options.downloadPreview
      downloadContent = options.downloadContent
    }
  }

  /// Why the pass ends before everything was done.
  private(set) var cutShort: PassOutcome?
  private(set) var stage = SyncStage.begin
  private(set) var removals = 0
  private(set) var hasFailures = false
  private(set) var downloadsBegan = false
  private(set) var hasCommitted = false
  /// Whether `syncWillBegin` was called: only then there is an end of the pass to be told.
  private(set) var hasBegun = false
  let rules: Rules

  /// A pass whose first stage, `begin`, is to be performed.
  init(_ rules: Rules) {
    self.rules = rules
  }

  /// How the pass ended; asked when `stage` is `end`.
  var outcome: PassOutcome {
    cutShort ?? (hasFailures ? .failed : .succeeded)
  }

  /// Takes an event and answers the stage to perform next.
  mutating func handle(_ event: Event) -> SyncStage {
    if event != .cancelRequested { hasBegun = true }
    stage = nextStage(after: event)
    return stage
  }

  private mutating func nextStage(after event: Event) -> SyncStage {
    switch event {
    case .cancelRequested: afterCancelRequest()
    case .failed: afterFailure(.failed)
    case .interrupted: afterFailure(.cancelled)
    case .listed(let kind): kind == .unchanged ? .end : .localKeys
    case .compared(let removals, let local, let areAllowed):
      afterComparison(removals: removals, local: local, areAllowed: areAllowed)
    case .prepared(let downloads, let spared): afterPreparation(downloads, spared: spared)
    case .downloaded(let end): afterDownloads(end)
    case .committed(let failures): afterCommit(failures: failures)
    case .succeeded: afterSuccess()
    }
  }

  private mutating func afterSuccess() -> SyncStage {
    switch stage {
    case .begin: return .fetchSourceList
    case .removeLocalItems: return hasCommitted ? .end : .itemsToUpdate
    case .itemsToUpdate: return .prepareDownload
    case .end: return .end
    case .fetchSourceList, .localKeys, .prepareDownload, .downloadPreviews, .downloadContents,
      .commitDownloads:
      preconditionFailure("\(stage) ends with an event of its own")
    }
  }

  private mutating func afterComparison(
    removals: Int, local: Int, areAllowed: Bool
  ) -> SyncStage {
    self.removals = removals
    guard removals > 0 else { return .itemsToUpdate }
    guard areAllowed || rules.removalLimit.allows(removals: removals, of: local) else {
      cutShort = .removalRefused(count: removals, of: local)
      return rules.kind == .plan ? .itemsToUpdate : .end  // a plan tells the rest all the same
    }
    let removesNow = rules.removal == .beforeDownloads && rules.kind == .sync
    return removesNow ? .removeLocalItems : .itemsToUpdate
  }

  private mutating func afterPreparation(_ downloads: Int, spared: Int) -> SyncStage {
    removals -= spared
    if rules.kind == .plan { return .end }
    if downloads > 0, rules.downloadPreview { return .downloadPreviews }
    if downloads > 0, rules.downloadContent { return .downloadContents }
    return .commitDownloads
  }

  private mutating func afterDownloads(_ end: DownloadsEnd) -> SyncStage {
    downloadsBegan = true
    switch end {
    case .allTried(let failures):
      hasFailures = hasFailures || failures
      let contentsFollow = stage == .downloadPreviews && rules.downloadContent
      return contentsFollow ? .downloadContents : .commitDownloads
    case .stopped:
      cutShort = .failed
      return .commitDownloads
    case .cancelled:
      cutShort = .cancelled
      return .commitDownloads
    }
  }

  private mutating func afterCommit(failures: Bool) -> SyncStage {
    hasCommitted = true
    hasFailures = hasFailures || failures
    let removesLate = rules.removal == .afterDownloads && removals > 0 && cutShort == nil
    return removesLate ? .removeLocalItems : .end
  }

  private mutating func afterFailure(_ outcome: PassOutcome) -> SyncStage {
    // Downloads never end with this event, so whatever they did has been committed, or that failed.
    if cutShort == nil { cutShort = outcome }
    return .end
  }

  private mutating func afterCancelRequest() -> SyncStage {
    switch stage {
    case .commitDownloads where downloadsBegan, .end:
      return stage
    case .begin, .fetchSourceList, .localKeys, .removeLocalItems, .itemsToUpdate,
      .prepareDownload, .downloadPreviews, .downloadContents, .commitDownloads:
      cutShort = .cancelled
      return downloadsBegan && !hasCommitted ? .commitDownloads : .end
    }
  }
}
