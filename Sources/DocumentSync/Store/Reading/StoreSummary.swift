import SyncDatabase
public import SyncEssentials

/// How many there are of what.
public struct StoreCounts: Sendable, Equatable {
  /// Documents that people see.
  public var documents = 0
  /// Changes that are to be sent, whatever holds them up.
  public var outbox = 0
  /// Of these, those that were set aside, but for what somebody is to decide.
  public var setAside = 0
  /// Of these, those that wait until somebody has decided.
  public var parked = 0
  /// Documents about which somebody is to decide.
  public var conflicts = 0
  /// Documents that may not be read.
  public var hidden = 0
  /// Changes that gave way in the last 30 days.
  public var lost = 0
  /// When the change was made that stands first in the outbox.
  public var oldest: Date?
}

/// How it stands with the files of documents.
public struct FileCounts: Sendable, Equatable {
  /// Files that wait to be sent.
  public var up = 0
  /// Files that aren't here yet.
  public var down = 0
  /// Files that a server refused.
  public var refused = 0
  /// Files that are to be removed at the server, once it knows that no document names them.
  public var removing = 0
  /// Files that a server won't remove.
  public var unremoved = 0
}

/// How it stands with a store as a whole.
public struct StoreSummary: Sendable, Equatable {
  /// How many there are of what.
  public var counts: StoreCounts
  /// How it stands with files.
  public var files = FileCounts()
  /// The first ten documents about which somebody is to decide.
  public var conflicts: [DocumentID] = []
  /// The first ten of which a change was set aside.
  public var setAside: [DocumentID] = []
  /// What a server has no more and what wasn't removed here, by collection.
  public var heldBack: [HeldBackRemovals] = []
  /// The collections of which only a part is held, by name.
  public var filtered: [FilteredCollection] = []
  /// The last sync; `nil` if there was none yet.
  public var lastSync: SyncRun?
  /// For how long the change has been waiting that stands first in the outbox; `nil` if nothing is
  /// to be sent.
  package var waiting: Duration?
}

/// What a server has and what couldn't be stored.
public struct DocumentFailure: Sendable, Hashable {
  /// The collection that it's at home in.
  public let collection: String
  /// Its id, or what else it's told from others by.
  public let name: String
  /// Why.
  public let words: String
  /// When it was first noticed, in milliseconds since 1970.
  package let time: Int64
}

/// Documents that a server has no more and that are here all the same: so many would have gone at
/// once that none of them did.
public struct HeldBackRemovals: Sendable, Hashable {
  /// The collection that they are at home in.
  public let collection: String
  /// How many would go.
  public let count: Int
  /// Of how many.
  public let held: Int
  /// How many of them are only known to have left the collection's filter: they may be at the
  /// server.
  public var outsideFilter = 0
}

/// A collection of which a store holds what a filter lets through.
public struct FilteredCollection: Sendable, Hashable {
  /// Its name at the server.
  public let collection: String
  /// The filter, as the last pull asked for it; `nil` where a newer program wrote it.
  public let filter: CollectionFilter?
  /// When all that it lets through was listed last, so that it's known what has left it; `nil` if
  /// it wasn't yet.
  public let listed: Date?
}

extension StoreReader {
  package func summary() throws -> StoreSummary {
    let counts = try counts()
    // By a clock that was put back since, no time has passed.
    let waiting = counts.oldest.map { Duration.milliseconds(max(0, session.now - $0.milliseconds)) }
    return StoreSummary(
      counts: counts, files: try fileCounts(),
      conflicts: try open(.conflict, limit: 10).map(\.id),
      setAside: try open(.setAside, limit: 10).map(\.id), heldBack: try heldBack(),
      filtered: try filteredCollections(), lastSync: try runs(limit: 1).first, waiting: waiting)
  }

  /// - Parameters:
  ///   - documents: the rows of documents that count: SQLite counts all without a look at each.
  ///   - own: the condition that a row's collection counts.
  ///   - since: losses count from then on.
  private static func counted(documents: SQL, own: SQL, since: Int64) -> SQL {
    // What is kept of a server's beside a change: somebody is to decide, or a request is under way.
    let open: SQL = """
      (SELECT entry FROM documents INDEXED BY documents_exceptions
        WHERE shown IS NOT NULL AND \(own)) AS open
      LEFT JOIN outbox ON outbox.number = open.entry
      """
    return """
      SELECT
        (SELECT count(*) FROM \(documents)) AS documents,
        (SELECT count(*) FROM entries WHERE \(own)) AS outbox,
        (SELECT count(*) FROM outbox INDEXED BY outbox_exceptions
          WHERE change = 'delete' AND \(own)) AS deletions,
        (SELECT count(*) FROM outbox INDEXED BY outbox_exceptions
          WHERE phase = 'setAside' AND \(own))
          + (SELECT count(*) FROM outbox INDEXED BY outbox_exceptions
            WHERE form <> 1 AND phase <> 'setAside' AND \(own))
          - (SELECT count(*) FROM \(open) WHERE phase = 'setAside') AS aside,
        (SELECT count(*) FROM \(open)
          WHERE coalesce(phase, 'parked') IN ('parked', 'setAside')) AS conflicts,
        (SELECT count(*) FROM \(open) WHERE phase IN ('parked', 'setAside')) AS parked,
        (SELECT count(*) FROM documents INDEXED BY documents_exceptions
          WHERE hidden AND body IS NOT NULL AND \(own)) AS hidden,
        (SELECT count(*) FROM lost WHERE at >= \(since) AND \(own)) AS lost,
        (SELECT since FROM entries WHERE number = (
          SELECT number FROM entries WHERE \(own) ORDER BY number LIMIT 1)) AS oldest
      """
  }

  /// How many there are of what, without a look at their contents.
  package func counts() throws -> StoreCounts {
    let own = try session.isOwn("scope")
    let rows: SQL = try session.ownScopes() == nil ? "documents" : "documents WHERE \(own)"
    let query = Self.counted(
      documents: rows, own: own, since: session.now - Self.spanOfLost)
    let counts = try session.connection.row(query) { row in
      var counts = StoreCounts()
      counts.hidden = Int(try row.integer("hidden"))
      counts.documents = Int(try row.integer("documents") - row.integer("deletions"))
      counts.outbox = Int(try row.integer("outbox"))
      counts.setAside = Int(try row.integer("aside"))
      counts.parked = Int(try row.integer("parked"))
      counts.conflicts = Int(try row.integer("conflicts"))
      counts.lost = Int(try row.integer("lost"))
      counts.oldest = try row.optionalInteger("oldest").map { Date(milliseconds: $0) }
      return counts
    }
    guard var counts else { return StoreCounts() }
    counts.hidden += try countOfHiddenCollections()
    counts.documents -= counts.hidden
    return counts
  }

  private func countOfHiddenCollections() throws -> Int {
    let own = try session.isOwn("number")
    let scopes = try session.connection.rows(
      "SELECT number FROM scopes WHERE hidden AND \(own)"
    ) { try $0.integer("number") }
    return try scopes.reduce(0) { sum, scope in
      let count = try session.connection.row(
        """
        SELECT count(*) AS count FROM documents
        WHERE scope = ?1 AND NOT hidden AND body IS NOT NULL AND base_version IS NOT NULL
        """, scope
      ) { Int(try $0.integer("count")) }
      return sum + (count ?? 0)
    }
  }

  // MARK: - Files

  package func keepsFiles(_ endpoint: any DocumentEndpoint, at server: String) throws -> Bool? {
    try endpoint.keepsFiles ?? capabilities(of: server)?.said.has(.files)
  }

  /// How it stands with files, as far as syncs have looked at what documents name.
  package func fileCounts() throws -> FileCounts {
    let table = FileTable(session: session)
    return FileCounts(
      up: try table.count(.up), down: try table.count(.down), refused: try table.count(.refused),
      removing: try table.count(.removing, isNamed: false),
      unremoved: try table.count(.stays, isNamed: false))
  }

  package func fileTroubles(of id: DocumentID? = nil, limit: Int = .max) throws -> [FileTrouble] {
    try FileTable(session: session).troubles(of: id, limit: limit)
  }
}
