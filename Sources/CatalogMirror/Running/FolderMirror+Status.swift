import SyncLedger
import OneWaySynchronizer
import SyncFiles
import SyncFolder
import SyncText

/// What a folder holds, and how its last runs went.
public struct MirrorStatus: Sendable {
  /// Whether the folder is a mirror.
  public var isMirror = false
  /// The catalog that it follows, without secrets.
  public var catalog: String?
  /// Items whose content is held, and their bytes.
  public var contents = 0
  /// See ``contents``.
  public var contentBytes: Int64 = 0
  /// Previews that are held, and their bytes.
  public var previews = 0
  /// See ``previews``.
  public var previewBytes: Int64 = 0
  /// Files that lie in quarantine, and their bytes.
  public var quarantined = 0
  /// See ``quarantined``.
  public var quarantinedBytes: Int64 = 0
  /// Files in the folder that aren't the mirror's.
  public var foreign = 0
  /// What failed in the last run.
  public var failures: [MirrorReport.Failure] = []
  /// The last runs, newest first.
  public var runs: [Run] = []

  /// One run.
  public struct Run: Sendable {
    /// When it began, in seconds since 1970.
    public var startedAt: Double
    /// How long it took.
    public var duration: Duration
    /// How it ended, in a word.
    public var outcome: String
    /// Contents and previews fetched.
    public var downloaded: Int
    /// Items removed.
    public var removed: Int
    /// Items that failed.
    public var failed: Int
    /// Bytes fetched.
    public var bytes: Int64
    /// What went wrong first, in a sentence.
    public var error: String?
    /// Which option of the mirror may have helped.
    public var advice: MirrorAdvice?
  }
}

extension FolderMirror {
  /// Shows what the folder holds, and how its last runs went.
  ///
  /// - Parameter runs: The most runs to tell of.
  /// - Throws: ``MirrorError``, when the folder can't be looked at or is in use.
  public func status(runs: Int = 10) async throws -> MirrorStatus {
    do {
      let inspection = try await FolderInspection.open(options, in: environment)
      let status = try await status(of: inspection, runs: runs)
      await inspection.close()
      return status
    } catch {
      throw error is CancellationError ? error : MirrorError(opening: error)
    }
  }

  private func status(of inspection: FolderInspection, runs: Int) async throws -> MirrorStatus {
    var status = MirrorStatus()
    guard let index = try inspection.requireIndex(), let folder = inspection.folder else {
      return status
    }
    status.isMirror = true
    let keys = Set(try await inspection.items().filter { $0.content != nil }.map(\.key))
    status.foreign = try await inspection.fileQueue.run {
      try folder.countForeign { keys.contains($0) }
    }
    let told = try await index.read { reader in
      (
        catalog: try reader.value(.catalog), counts: try reader.counts(),
        failures: try reader.failures(), runs: try reader.recentRuns(limit: runs)
      )
    }
    status.catalog = told.catalog
    status.contents = told.counts.contents
    status.contentBytes = told.counts.contentBytes
    status.previews = told.counts.previews
    status.previewBytes = told.counts.previewBytes
    status.quarantined = told.counts.quarantined
    status.quarantinedBytes = told.counts.quarantinedBytes
    status.failures = told.failures.map {
      let text = AdvisedText(kept: $0.sentence)
      return MirrorReport.Failure(
        key: $0.key.description, sentence: text.sentence, advice: text.advice)
    }
    status.runs = told.runs.map(MirrorStatus.Run.init)
    return status
  }
}

extension MirrorStatus.Run {
  fileprivate init(_ record: RunRecord) {
    startedAt = Double(record.startedNanoseconds) / 1_000_000_000
    duration = .nanoseconds(record.endedNanoseconds - record.startedNanoseconds)
    outcome = record.ending.word
    downloaded = record.counts.downloaded
    removed = record.counts.removed
    failed = record.counts.failed
    bytes = record.bytes
    let text = record.error.map(AdvisedText.init(kept:))
    error = text?.sentence
    advice = text?.advice
  }
}

extension RunEnding {
  /// The outcome as people read it.
  fileprivate var word: String {
    switch self {
    case .succeeded: "done"
    case .someFailed: "some failed"
    case .failed: "failed"
    case .removalRefused: "refused"
    case .cancelled: "cancelled"
    }
  }
}
