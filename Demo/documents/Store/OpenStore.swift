import Console
import DocumentEndpoints
import DocumentSync

/// A store that a command works on, as the account of `init` sees it, and what `init` was told.
struct OpenStore: Sendable {
  let replica: DocumentReplica
  let setup: StoreSetup
  let types: DocumentTypes

  /// Opens a store that is there.
  ///
  /// - Parameters:
  ///   - request: What a sync is told; without it, no server is asked for anything, so that nobody
  ///     needs a password.
  ///   - onlyReads: Whether nothing is written, so that it may be where nothing can be.
  static func open(
    _ path: String, for request: SyncRequest? = nil, onlyReads: Bool = false
  ) async throws -> OpenStore {
    try checkIsThere(path)
    var found: (setup: StoreSetup, types: DocumentTypes)?
    let replica = try await DocumentReplica.open(setUpAt: path, onlyReads: onlyReads) { setup in
      found = (setup, try setup.types())
      return (try request.map(setup.endpoint(for:)) ?? setup.endpoint(), try setup.options())
    }
    guard let replica, let found else { throw ProgramProblem.notSetUp(path) }
    return OpenStore(replica: replica, setup: found.setup, types: found.types)
  }

  /// - Throws: `ProgramProblem.noStore` where nothing stands at the path, and another one where
  ///   nobody can tell.
  static func checkIsThere(_ path: String) throws(ProgramProblem) {
    do {
      _ = try PathFacts(of: path)
    } catch {
      throw error.isAbsence ? .noStore(path) : .outOfReach(path, error.reason)
    }
  }

  func collection(ofType type: String) throws -> String {
    guard let collection = types.collection(of: type) else {
      let known = types.kinds.map(\.name).joined(separator: ", ")
      throw UsageError(
        "there is no type '\(type)' in this store: \(known.isEmpty ? "none is" : known); "
          + "'documents init … --type \(type)' adds it")
    }
    return collection
  }
}

extension StoreSetup {
  func types() throws -> DocumentTypes {
    var types = try DocumentTypes()
    // A row has the columns of its table, and few have one for that.
    types.leavesOutOnlyTypes = kind == .rest
    for kind in kinds { try types.declare(kind.name, in: kind.collection) }
    return types
  }

  fileprivate func options() throws -> ReplicaOptions {
    var names: [String] = []
    for name in kinds.map(\.collection) where !names.contains(name) { names.append(name) }
    let collections = try names.map {
      SyncedCollection(
        $0, policies: isLatest($0) ? [.latest] : [.merge, .serverWins],
        naturalKey: try naturalKey(of: $0), references: try references(of: $0),
        filter: filter(of: $0))
    }
    // Whoever looks at a store by hand wants to know when it was last in step.
    return ReplicaOptions(
      server: scopeName, account: account, collections: collections, syncsEdits: false,
      remembersQuietSyncs: true, decidesRefusal: Asking.answer)
  }

  /// The server as the account sees it.
  fileprivate func endpoint(for request: SyncRequest) throws -> any DocumentEndpoint {
    let options = ServiceOptions(access: request.access, allowedHosts: request.allowedHosts)
    // A missing password won't come by itself.
    guard let words = try Password.authorization(of: self, request) else {
      return try endpoint(options)
    }
    return try endpoint(options) { words }
  }
}

extension ProgramLock {
  /// The right to sync or watch a store, one program at a time: a watch has it between its syncs,
  /// too.
  convenience init(ofStore path: String) throws { try self.init(at: path + "-program-sync") }
}
