import SyncDatabase

/// How many there are of what.
public struct StoreCounts: Sendable, Equatable {
  /// Documents that people see.
  public var documents = 0
  /// Changes that are to be sent, whatever holds them up.
  public var outbox = 0
  /// Of these, those that were set aside.
  public var setAside = 0
  /// Documents about which somebody is to decide.
  public var conflicts = 0
  /// Documents that may not be read.
  public var hidden = 0
  /// Changes that gave way in the last 30 days.
  public var lost = 0
  /// When the change was made that stands first in the outbox, in milliseconds since 1970.
  public var oldest: Int64?
}

extension StoreReader {
  /// - Parameters:
  ///   - documents: the rows of documents that count: SQLite counts all without a look at each.
  ///   - own: the condition that a row's collection counts.
  ///   - homes: the same for a collection's row.
  ///   - since: losses count from then on.
  private static func counted(documents: SQL, own: SQL, homes: SQL, since: Int64) -> SQL {
    """
    SELECT
      (SELECT count(*) FROM \(documents)) AS documents,
      (SELECT count(*) FROM outbox WHERE \(own))
        + (SELECT count(*) FROM documents INDEXED BY documents_plain
          WHERE since IS NOT NULL AND \(own)) AS outbox,
      (SELECT count(*) FROM outbox INDEXED BY outbox_exceptions
        WHERE change = 'delete' AND \(own)) AS deletions,
      (SELECT count(*) FROM outbox INDEXED BY outbox_exceptions
        WHERE phase = 'setAside' AND \(own))
        + (SELECT count(*) FROM outbox INDEXED BY outbox_exceptions
          WHERE form <> 1 AND phase <> 'setAside' AND \(own)) AS aside,
      (SELECT count(*) FROM (SELECT scope, entry
          FROM documents INDEXED BY documents_exceptions WHERE shown IS NOT NULL AND \(own)) AS open
        LEFT JOIN outbox ON outbox.number = open.entry
        WHERE coalesce(phase, 'parked') IN ('parked', 'setAside')) AS conflicts,
      (SELECT count(*) FROM documents INDEXED BY documents_exceptions
        WHERE hidden AND body IS NOT NULL AND \(own)) AS hidden,
      (SELECT count(*) FROM lost WHERE at >= \(since) AND \(own)) AS lost,
      (SELECT since FROM (
        SELECT number, since FROM (
          SELECT number, since FROM outbox WHERE \(own) ORDER BY number LIMIT 1)
        UNION ALL
        SELECT entry, since FROM scopes
          JOIN documents INDEXED BY documents_plain ON since IS NOT NULL
            AND documents.scope = scopes.number AND entry = (
              SELECT min(entry) FROM documents AS others INDEXED BY documents_plain
              WHERE others.since IS NOT NULL AND others.scope = scopes.number)
          WHERE \(homes)
        ) ORDER BY number LIMIT 1) AS oldest
    """
  }

  /// How many there are of what, without a look at their contents.
  package func counts() throws -> StoreCounts {
    let own = try session.isOwn("scope")
    let rows: SQL = try session.ownScopes() == nil ? "documents" : "documents WHERE \(own)"
    let query = Self.counted(
      documents: rows, own: own, homes: try session.isOwn("scopes.number"),
      since: session.now - LostTable.span)
    let counts = try session.connection.row(query) { row in
      var counts = StoreCounts()
      counts.hidden = Int(try row.integer("hidden"))
      counts.documents = Int(try row.integer("documents") - row.integer("deletions"))
      counts.outbox = Int(try row.integer("outbox"))
      counts.setAside = Int(try row.integer("aside"))
      counts.conflicts = Int(try row.integer("conflicts"))
      counts.lost = Int(try row.integer("lost"))
      counts.oldest = try row.optionalInteger("oldest")
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
        WHERE scope = ?1 AND NOT hidden AND body IS NOT NULL
        """, scope
      ) { Int(try $0.integer("count")) }
      return sum + (count ?? 0)
    }
  }
}
