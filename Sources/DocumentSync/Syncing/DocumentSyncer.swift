import SyncEngine
import SyncLock

/// A sync that didn't do all of its work, and what it did.
public struct DocumentSyncFailure: Error, Sendable, CustomStringConvertible {
  /// Why.
  public let reason: DocumentSyncError
  /// What was done all the same.
  public let report: DocumentReport

  /// Why, for a place behind a colon.
  public var description: String { reason.description }
}

/// Syncs documents, one sync at a time: who asks while one is under way is served by one more.
final class DocumentSyncer: Sendable {
  let processor: DocumentProcessor
  let synchronizer: Synchronizer<DocumentProcessor>

  /// - Parameters:
  ///   - clock: what pauses between tries, and the engine's own times, are measured with.
  ///   - executor: what all tasks prefer: the seam for a simulated schedule.
  init(
    _ processor: DocumentProcessor, clock: some Clock<Duration> = ContinuousClock(),
    window: RequestWindow = RequestWindow(), executor: (any TaskExecutor)? = nil
  ) {
    self.processor = processor
    synchronizer = Synchronizer(
      processor: processor, options: processor.options, requestWindow: window,
      runUntilQuiet: false, clock: clock, executor: executor)
  }

  /// Syncs, and waits for its end.
  ///
  /// - Throws: ``DocumentSyncFailure`` where the server, or a collection of it, didn't let it do
  ///   its work; what the store throws; `CancellationError`.
  func sync(_ wishes: SyncWishes = SyncWishes()) async throws -> DocumentReport {
    processor.want(wishes)
    do {
      _ = try await synchronizer.sync()
    } catch let error as SyncError<String> {
      let report = processor.report
      if let reason = report.errors.first {
        throw DocumentSyncFailure(reason: reason, report: report)
      }
      if error.code == .cancelled { throw CancellationError() }
      throw error.report.failures.first?.cause ?? error
    }
    let report = processor.report
    if let reason = report.errors.first {
      throw DocumentSyncFailure(reason: reason, report: report)
    }
    return report
  }
}
