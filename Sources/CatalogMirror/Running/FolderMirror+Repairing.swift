import SyncFetching
import SyncLock

/// What a repair found, and did about it.
public struct MirrorRepair: Sendable {
  /// What was found before anything was repaired.
  public var found: MirrorVerification
  /// What was done; `nil` when there was nothing to do.
  public var report: MirrorReport?

  /// A repair of which nothing has been done.
  public init(found: MirrorVerification, report: MirrorReport? = nil) {
    self.found = found
    self.report = report
  }
}

extension FolderMirror {
  /// As ``verify()``, and then fetches again what is wrong, from where it came from last time. The
  /// catalog isn't asked, and nothing else is changed. A file that isn't as it should be is moved
  /// to `.mirror/displaced` first.
  ///
  /// The catalog's address is the one that the folder's index names, whatever the options say:
  /// what they say of headers, tokens and passwords is for its origin.
  ///
  /// - Parameter tellFound: Called with what was found, before anything is done about it.
  /// - Throws: ``MirrorError``, when the folder can't be looked at or is in use.
  public func repair(
    tellFound: @Sendable (MirrorVerification) async -> Void = { _ in }
  ) async throws -> MirrorRepair {
    let (startedAt, time) = (environment.now(), Timeline(environment.clock))
    let found = try await verify()
    await tellFound(found)
    guard !found.repairs.isEmpty else { return MirrorRepair(found: found) }
    guard let catalog = found.catalog else {
      throw MirrorError.index(path: found.index, .sourceUnknown)
    }
    var options = options
    options.catalog = catalog
    options.requiresExisting = true
    options.trustsIndex = true  // every byte has just been looked at
    options.previews = found.repairs.transfers
    observer.beginRepairing()
    let mirror = FolderMirror(options, in: environment, observedBy: observer)
    return MirrorRepair(
      found: found, report: try await mirror.repair(found.repairs, startedAt: startedAt, time))
  }

  private func repair(
    _ repairs: Repairs, startedAt: Double, _ time: Timeline
  ) async throws -> MirrorReport {
    let began = ContinuousClock.now
    let connection = try SourceConnection(options, in: environment, observer: observer)
    do {
      var session = try await MirrorSession.open(
        options, in: environment, startedAt: startedAt, observer: observer)
      var (report, damage) = await run(
        connection, session, nil, repairs: repairs, startedAt: startedAt, time)
      if damage != nil {
        session = try await session.withNewIndex(
          options, in: environment, startedAt: startedAt, observer: observer)
      }
      await session.close()
      await connection.close()
      report.duration = ContinuousClock.now - began
      return report
    } catch {
      await connection.close()
      guard error is CancellationError else { throw MirrorError(opening: error) }
      return MirrorReport(outcome: .cancelled)
    }
  }
}
