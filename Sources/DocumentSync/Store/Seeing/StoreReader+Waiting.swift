import SyncDatabase

/// Documents that a server has no more and that are here all the same: so many would have gone at
/// once that none of them did.
public struct HeldBackRemovals: Sendable, Hashable {
  /// Where they are at home.
  public let scope: DocumentScope
  /// How many would go.
  public let count: Int
  /// Of how many.
  public let held: Int
}

extension StoreReader {
  /// What a server has no more and what wasn't removed here, by collection.
  package func heldBack() throws -> [HeldBackRemovals] {
    let own = try session.isOwn("scope")
    let scopes = try session.connection.rows(
      "SELECT DISTINCT scope FROM vanished WHERE held_back AND \(own) ORDER BY scope"
    ) { try $0.integer("scope") }
    return try scopes.compactMap { number in
      let count = try VanishedTable(session: session).count(in: number, isHeldBack: true)
      guard count > 0 else { return nil }
      let held = try VanishedTable(session: session).held(in: number)
      return HeldBackRemovals(scope: try session.scope(number), count: count, held: held)
    }
  }

  /// Whether a server has a document no more that wasn't removed here.
  func isHeldBack(_ document: StoredDocument) throws -> Bool {
    guard document.body != nil, let number = try session.number(of: document.scope) else {
      return false
    }
    return try VanishedTable(session: session).holdsBack(document.id, in: number)
  }

  /// Files that aren't where they are to be, and why, by document.
  ///
  /// - Parameters:
  ///   - id: those of that document only; `nil`, the default, for all.
  ///   - limit: so many at most.
  package func fileTroubles(of id: DocumentID? = nil, limit: Int = .max) throws -> [FileTrouble] {
    try FileTable(session: session).troubles(of: id, limit: limit)
  }
}
