import SyncEngine
import SyncFiles
import SyncLock

/// A sync that didn't do all of its work, and what it did.
public struct DocumentSyncFailure: Error, Sendable, CustomStringConvertible {
  /// Why.
  public let reason: DocumentSyncError
  /// What was done all the same.
  public let report: DocumentReport
  /// What the server answered, whole and without secrets; `nil` where nothing was asked.
  public var answer: EndpointCall? { report.answers[reason] }

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
  ///   its work; ``DocumentError/makesKeys(_:)``; what the store throws; `CancellationError`.
  func sync(_ wishes: SyncWishes = SyncWishes()) async throws -> DocumentReport {
    // A server that was emptied gives others the ids that it gave before.
    if wishes.republishing != nil, let name = processor.place.keyless.min() {
      throw DocumentError.makesKeys(name)
    }
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

/// The right to sync a store: one sync at a time, over all processes.
///
/// It is flock(2) on a file beside the store, `STORE-sync`: it dies with its process, however that
/// ends. Editing and reading don't need it.
package final class StoreLock: Sendable {
  private let file: Locked<Descriptor?>

  /// Takes the right to sync a store, at once.
  ///
  /// - Parameter path: the store's.
  /// - Throws: ``DocumentError/isSyncedElsewhere``,
  ///   ``DocumentError/unusableFile(path:_:)``.
  package init(storeAt path: String) throws {
    let place = path + "-sync"
    do {
      let cut = place.utf8.lastIndex(of: UInt8(ascii: "/"))
      let directory = try Descriptor.open(
        userPath: cut.map { String(place[...$0]) } ?? ".", [.reading, .directory],
        in: SystemFileSystem())
      let name = cut.map { Array(place.utf8[place.utf8.index(after: $0)...]) } ?? Array(place.utf8)
      let descriptor = try directory.open(
        name: name, [.writing, .creating, .withoutWaiting], mode: 0o644)
      try descriptor.lock(shared: false)
      file = Locked(descriptor)
    } catch .wouldBlock {
      throw DocumentError.isSyncedElsewhere
    } catch {
      throw DocumentError.unusableFile(path: place, "\(error)")
    }
  }

  /// Gives the right back.
  package func end() {
    file.withLock { $0 = nil }
  }
}
