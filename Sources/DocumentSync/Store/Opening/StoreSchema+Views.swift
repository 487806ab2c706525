import SyncDatabase

extension StoreSchema {
  /// Whether people see a document: not where the server doesn't let it be read. What was made here
  /// and never was at the server, as far as is known, is theirs all the same.
  static let isSeen: SQL =
    "NOT documents.hidden AND (NOT scopes.hidden OR base_version IS NULL)"

  /// What people see, for statements of their own. Without the times of members.
  static let seenDocuments: SQL = """
    SELECT documents.id AS id, coalesce(
        CASE json_type(body, '$.docType') WHEN 'text' THEN body ->> '$.docType' END, collection
      ) AS type,
      server, account, collection, CASE
        WHEN json_type(body, '$._times') IS NULL THEN body ELSE json_remove(body, '$._times')
      END AS body,
      state, documents.entry IS NOT NULL AS pending
    FROM documents JOIN scopes ON scopes.number = documents.scope
    WHERE \(isSeen) AND body IS NOT NULL
    """
  /// Changes that gave way: which document, the names down to the member as an array of JSON, what
  /// it was changed to as JSON (NULL where it was removed), why it gave way, and when, in
  /// milliseconds since 1970.
  static let seenLosses: SQL = """
    SELECT lost.number AS number, id, collection, path, value, side, reason AS why, at
    FROM lost JOIN scopes ON scopes.number = lost.scope
    """
  static let isOfProgram: SQL =
    "account = coalesce((SELECT setup.account FROM setup), account)"
  private static let isOfReader: SQL =
    "(server, account) = (SELECT seen_by.server, seen_by.account FROM temp.seen_by)"

  // MARK: - As one account sees them

  static let ownViews = AllowedViews(
    named: ["documents_view", "lost_view"], over: ["own_documents", "own_losses"])

  /// Makes the views those of one account. Others of these names, or tables, are beside them.
  static func showViews(of owner: DocumentOwner, in connection: Connection) throws {
    for sql in [
      "CREATE TEMP TABLE seen_by (server TEXT NOT NULL, account TEXT NOT NULL)",
      "CREATE TEMP VIEW own_documents AS \(seenDocuments) AND \(isOfReader)",
      "CREATE TEMP VIEW own_losses AS \(seenLosses) WHERE \(isOfReader)",
      "CREATE TEMP VIEW documents_view AS SELECT * FROM temp.own_documents",
      "CREATE TEMP VIEW lost_view AS SELECT * FROM temp.own_losses",
    ] as [SQL] {
      try connection.run(sql)
    }
    try connection.run("INSERT INTO temp.seen_by VALUES (?1, ?2)", owner.server, owner.account)
    // When they are first met, SQLite reads its schema for these.
    _ = try connection.row("SELECT 1 FROM json_each('[]'), json_tree('[]')") { _ in true }
  }

  /// Takes back what ``showViews(of:in:)`` did.
  static func hideViews(in connection: Connection) throws {
    try connection.execute(
      """
      DROP VIEW temp.lost_view; DROP VIEW temp.documents_view; DROP VIEW temp.own_losses;
      DROP VIEW temp.own_documents; DROP TABLE temp.seen_by;
      """)
  }
}
