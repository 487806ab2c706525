import SyncDatabase

/// How it stands with a store as a whole.
public struct StoreSummary: Sendable, Equatable {
  /// How many there are of what.
  public var counts: StoreCounts
  /// How it stands with files.
  public var files = FileCounts()
  /// What a server has no more and what wasn't removed here, by collection.
  public var heldBack: [HeldBackRemovals] = []
  /// The last sync; `nil` if there was none yet.
  public var lastSync: SyncRun?
  /// For how long the change has been waiting that stands first in the outbox; `nil` if nothing is
  /// to be sent.
  public var waiting: Duration?
}

/// What a server has and what couldn't be stored.
public struct DocumentFailure: Sendable, Hashable {
  /// Where it's at home.
  public let scope: DocumentScope
  /// Which document, and why.
  public let document: UnreadableDocument
  /// When it was first noticed, in milliseconds since 1970.
  public let time: Int64
}

extension StoreReader {
  /// How it stands with the store as a whole.
  package func summary() throws -> StoreSummary {
    let counts = try counts()
    // By a clock that was put back since, no time has passed.
    let waiting = counts.oldest.map { Duration.milliseconds(max(0, session.now - $0)) }
    return StoreSummary(
      counts: counts, files: try fileCounts(), heldBack: try heldBack(),
      lastSync: try runs(limit: 1).first, waiting: waiting)
  }

  /// All that couldn't be stored, by collection and name.
  package func failures() throws -> [DocumentFailure] {
    let own = try session.isOwn("scope")
    return try session.connection.rows(
      """
      SELECT scope, failures.name AS name, words, at FROM failures
      JOIN scopes ON scopes.number = failures.scope WHERE \(own)
      ORDER BY collection, failures.name, scope
      """
    ) { row in
      DocumentFailure(
        scope: try session.scope(try row.integer("scope")),
        document: UnreadableDocument(
          storedAs: try row.text("name"), words: try row.text("words")),
        time: try row.integer("at"))
    }
  }
}
