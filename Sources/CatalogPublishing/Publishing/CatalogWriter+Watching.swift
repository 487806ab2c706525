import SyncFiles
public import SyncFolder

extension CatalogWriter {
  /// Publishes: looks at every file, hashes what is new or changed, and replaces the catalog in one
  /// step. Where the task is cancelled, the catalog stays as it is.
  ///
  /// - Parameters:
  ///   - progress: Told how far it is, on another thread.
  ///   - waits: Told who publishes the catalog, before he is waited for.
  /// - Throws: ``PublishError``, or `CancellationError`.
  public func publish(
    progress: @escaping @Sendable (PublishProgress) -> Void = { _ in },
    waits: @escaping @Sendable (LockHolder?) -> Void = { _ in }
  ) async throws -> PublishReport {
    try await DispatchDiskQueue().runStoppably { stop in
      try write(until: stop, told: progress, waits: waits)
    }
  }

  /// Publishes, and again each time that the folder has changed and come to rest, or that half of
  /// the time of a signed catalog is over, until the task is cancelled. Each time the catalog is
  /// replaced as a whole, or left alone where nothing of what it says has changed.
  ///
  /// Changes are learned of as Linux tells them: of a file system that is mounted over a network,
  /// only those that are made on this machine.
  ///
  /// - Parameters:
  ///   - trigger: Has it published at any time.
  ///   - progress: Told how far it is.
  ///   - told: Told of each time, on another thread: what was published, or why nothing was. It is
  ///     tried again soon.
  /// - Throws: ``PublishError`` when the folder can't be published the first time, or can't be
  ///   watched. `CancellationError`.
  public func watch(
    trigger: PublishTrigger = PublishTrigger(),
    progress: @escaping @Sendable (PublishProgress) -> Void = { _ in },
    _ told: @escaping @Sendable (Result<PublishReport, PublishError>) -> Void
  ) async throws {
    try await watch(ChangeSettling(), trigger: trigger, progress: progress, told)
  }

  /// As ``watch(trigger:progress:_:)``, with what decides when the folder has come to rest.
  func watch(
    _ settling: ChangeSettling, trigger: PublishTrigger = PublishTrigger(),
    progress: @escaping @Sendable (PublishProgress) -> Void = { _ in },
    _ told: @escaping @Sendable (Result<PublishReport, PublishError>) -> Void
  ) async throws {
    let watch = try WatchedFolder.makeWatch()
    let stop = StopFlag()
    trigger.wakes(by: { watch.wake() })
    defer { trigger.wakes(by: nil) }
    try await withTaskCancellationHandler {
      try await DispatchDiskQueue().run {
        let folder = WatchedFolder(watch, settling, isOwn: isOwn, until: stop)
        var isFirst = true
        while true {
          var renewal: Int64?
          do {
            let report = try publish(folder, progress)
            renewal = report.renewal
            told(.success(report))
          } catch let error as PublishError {
            guard error.mayPass(atFirst: isFirst) else { throw error }
            folder.noteFailure()
            told(.failure(error))
          }
          isFirst = false
          try folder.waitForRest(or: trigger, until: renewal.map(timeLeft))
        }
      }
    } onCancel: {
      stop.raise()
      watch.wake()
    }
  }

  /// How long it is until a date, in seconds since 1970, by the clock of now.
  private func timeLeft(until date: Int64) -> () -> Duration {
    { max(.zero, .seconds(date) - .nanoseconds(self.date)) }
  }

  private func publish(
    _ folder: WatchedFolder, _ progress: @escaping (PublishProgress) -> Void
  ) throws -> PublishReport {
    folder.noteLook()
    let report = try write(
      until: folder.stop, told: progress,
      enter: { directory, isCatalogs throws(PublishError) in
        try folder.enter(directory, isCatalogs: isCatalogs)
      })
    folder.noteSuccess()
    return report
  }
}

extension PublishError {
  /// Whether it may be over soon. What fails the first time is most often a mistake of whoever
  /// asked.
  fileprivate func mayPass(atFirst isFirst: Bool) -> Bool {
    switch self {
    case .changing: true
    case .system, .locked: !isFirst
    case .badOption(let problem): !isFirst && problem.isOfFolder
    case .unwatched, .noRevisionLeft, .unbelievedRevision: false
    }
  }
}

extension PublishError.BadOption {
  /// Whether the folder may come to agree with it.
  fileprivate var isOfFolder: Bool {
    switch self {
    case .previewsMissing, .previewsNoDirectory, .packsOccupied: true
    case .fileName, .base, .baseMissing, .previews, .occupied, .signKey, .signKeyMissing,
      .tooManySignKeys, .unsignedAndSigned, .expiresUnsigned, .packsBesideNothing:
      false
    }
  }
}
