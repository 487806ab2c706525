/// Replicas of stores that know with what they go: what a program is told once, and finds again by
/// the store's path alone.
extension DocumentReplica {
  /// Opens a store that was set up; it isn't made.
  ///
  /// Once the store is told something by which this replica can't go on, see
  /// ``StoreSetup/goesOn(as:)``, each edit and sync by it is a ``DocumentError/toldAnew``: it's to
  /// be opened again.
  ///
  /// - Parameters:
  ///   - path: the store's file.
  ///   - onlyReads: whether nothing is to be written: then a store that can't be is opened all the
  ///     same, on a file system that is mounted read-only, and elsewhere while somebody who may
  ///     write has it open or where its log can be kept beside it. Each edit and sync of such a one
  ///     is an error. What others write meanwhile is seen, but for what comes to a mount that is
  ///     read-only here alone.
  ///   - configure: makes the server and the options from what the store was told.
  /// - Returns: `nil` where the store was told nothing yet.
  public static func open(
    setUpAt path: String, onlyReads: Bool = false,
    _ configure: (StoreSetup) throws -> (any DocumentEndpoint, ReplicaOptions)
  ) async throws -> DocumentReplica? {
    let store = try await store(at: path, onlyReads: onlyReads)
    do {
      guard let setup = try await store.read({ try $0.setup() }) else {
        await store.close()
        return nil
      }
      let (endpoint, options) = try configure(setup)
      let replica = DocumentReplica(
        store.told(setup), path: path, account: nil, endpoint: endpoint, options: options,
        clock: ContinuousClock(), seams: SessionSeams())
      // What is nobody's becomes the account's with its next sync, and not with every look.
      replica.syncer.processor.place.adopts = !options.account.isEmpty
      return replica
    } catch {
      await store.close()
      throw error
    }
  }

  private static func store(at path: String, onlyReads: Bool) async throws -> DocumentStore {
    var options = DocumentStoreOptions()
    options.access = .readWrite
    do {
      return try await DocumentStore(.file(path), options: options)
    } catch let error as DatabaseError
      where onlyReads && [.readOnly, .cannotOpen].contains(error.code)
    {
      return try await DocumentStore(.file(path), options: .reading(path))
    }
  }

  /// Tells a store with what it goes, and hands it over to the account that it is to go with; the
  /// store is made if it's missing.
  ///
  /// - Parameters:
  ///   - path: the store's file.
  ///   - unsent: what is to become of changes of another account that weren't sent.
  ///   - change: makes what the store is told, and the server that its documents belong to as
  ///     ``ReplicaOptions`` has it, from what it was told before. Asked again where another
  ///     process told it something meanwhile.
  /// - Throws: ``DocumentError/unsentEdits(_:)``; ``DocumentError/isSyncedElsewhere``
  ///   where it's told more during a sync than further types and where the password is;
  ///   ``DocumentError/typeInUse(_:documents:)`` where a type isn't among the new ones of which
  ///   something is there (documents say theirs in `docType`); what `change` throws. Then nothing
  ///   was changed.
  @discardableResult
  public static func setUp(
    storeAt path: String, unsent: UnsentEdits = .refuse,
    _ change: (StoreSetup?) throws -> (setup: StoreSetup, server: String)
  ) async throws -> StoreSetup {
    let store = try await DocumentStore(.file(path))
    do {
      while true {
        let old = try await store.read { try $0.setup() }
        let (new, server) = try change(old)
        let handover = AccountHandover(
          from: old?.account ?? new.account, to: new.account, of: server, unsent: unsent,
          storeAt: path, goesOn: old?.goesOn(as: new) ?? true)
        // Another process may have told the store something meanwhile.
        let isDone: Void? = try await handover.make(
          in: store, unless: { try $0.setup() != old }
        ) { try $0.setUp(new) }
        guard isDone != nil else { continue }
        await store.close()
        return new
      }
    } catch {
      await store.close()
      throw error
    }
  }
}
