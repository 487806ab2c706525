import SyncFetching
import SyncLock

/// What a repair found, and did about it.
public struct MirrorRepair: Sendable {
  /// What was found before anything was repaired.
  public var found: MirrorVerification
  /// What was fetched again; `nil` when there was nothing to fetch.
  public var report: MirrorReport?
  /// Files of which no digest was known and one is recorded now: it is what they are held against
  /// from now on.
  public var recorded = 0

  /// A repair of which nothing has been done.
  public init(found: MirrorVerification, report: MirrorReport? = nil) {
    self.found = found
    self.report = report
  }
}

extension FolderMirror {
  /// As ``verify()``, and then fetches again what is wrong, from where it came from last time, and
  /// records the digests of files of which none was known. The catalog isn't asked, and nothing
  /// else is changed. A file that isn't as it should be is moved to `.mirror/displaced` first.
  ///
  /// The catalog's address is the one that the folder's index names, whatever the options say:
  /// what they say of headers, tokens and passwords is for its origin. Where the catalog was
  /// checked by keys, one of them has to be given, as in every other run.
  ///
  /// - Parameter tellFound: Called with what was found and recorded, before anything is fetched.
  /// - Throws: ``MirrorError``, when the folder can't be looked at or is in use.
  public func repair(
    tellFound: @Sendable (MirrorRepair) async -> Void = { _ in }
  ) async throws -> MirrorRepair {
    let (startedAt, time) = (environment.now(), Timeline(environment.clock))
    try await checkKeys()
    let found = try await verify()
    var repair = MirrorRepair(found: found)
    repair.recorded = try await record(found.digests, startedAt: startedAt)
    await tellFound(repair)
    guard !found.repairs.isEmpty else { return repair }
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
    repair.report = try await mirror.repair(found.repairs, startedAt: startedAt, time)
    return repair
  }

  /// What is fetched again is held against what a signed catalog said: whoever repairs without its
  /// key has to know that.
  private func checkKeys() async throws {
    guard !options.acceptsUnsigned else { return }
    let given = try SourceConnection.keys(in: options.verifyKeys, environment.fileSystem)
    do {
      try await FolderInspection.look(at: options, in: environment, observer: observer) { look in
        guard let folder = look.folder else { return }
        try await CatalogBinding(folder: folder, index: look.index, queue: look.fileQueue)
          .checkKeys(anyOf: given.map(\.id))
      }
    } catch {
      throw error is CancellationError ? error : MirrorError(opening: error)
    }
  }

  /// Records the digests of files, unless something else has been recorded of one meanwhile.
  ///
  /// - Returns: of how many.
  private func record(_ digests: [FoundDigest], startedAt: Double) async throws -> Int {
    guard !digests.isEmpty else { return 0 }
    var options = options
    options.requiresExisting = true
    do {
      return try await MirrorSession.using(
        options, in: environment, startedAt: startedAt, observer: observer
      ) { session in
        try await session.index.write { writer in
          try digests.count { try writer.record($0.sha256, of: $0.key, readAs: $0.stamp) }
        }
      }
    } catch {
      throw error is CancellationError ? error : MirrorError(opening: error)
    }
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
