import SyncDatabase

extension StoreSchema {
  /// Whose each thing is that is told of a store.
  static func makeOwners(in connection: Connection) throws {
    try connection.execute(owners)
    // What people see: where a program was told whose store it is, nobody else's.
    try connection.run("CREATE VIEW documents_view AS \(seenDocuments) AND \(isOfProgram)")
    try connection.run("CREATE VIEW lost_view AS \(seenLosses) WHERE \(isOfProgram)")
  }

  private static let owners: StaticString = """
    -- The collection that the document was in when it happened; NULL where nobody knows it.
    ALTER TABLE traces ADD COLUMN scope INTEGER;
    -- It's known of a document that no other account can have had since it was made. One may have
    -- had it in the same collection, or another document of that id, which is gone.
    UPDATE traces SET scope = (
      SELECT home.number FROM documents JOIN scopes AS home ON home.number = documents.scope
      WHERE documents.id = traces.id AND NOT EXISTS (
        SELECT 1 FROM scopes AS other
        WHERE other.account <> ''
          AND (other.server, other.account) <> (home.server, home.account)
          AND ((other.server, other.collection) = (home.server, home.collection)
            OR traces.place <= (
              SELECT max(place) FROM traces AS gone WHERE gone.id = traces.id AND gone.what IN
                ('deleted', 'takenAway', 'removedThere', 'removed', 'deletionDone')))));
    -- It's known since the change was made that waits to be sent.
    UPDATE traces SET scope = (SELECT scope FROM documents WHERE documents.id = traces.id)
      WHERE scope IS NULL AND place >= (
        SELECT min(own.place) FROM traces AS own JOIN documents ON documents.id = own.id
        WHERE own.id = traces.id AND own.revision >= documents.entry);
    -- What gave way then says whose it was.
    UPDATE traces SET scope = (
        SELECT min(lost.scope) FROM lost WHERE lost.id = traces.id AND lost.at = traces.at
        HAVING count(DISTINCT lost.scope) = 1)
      WHERE scope IS NULL AND traces.lost > 0;
    -- Of documents that are gone it's known where only one account was ever here.
    UPDATE traces SET scope = coalesce(
        (SELECT min(number) FROM scopes WHERE account <> ''), (SELECT min(number) FROM scopes))
      WHERE scope IS NULL
        AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.id = traces.id)
        AND (SELECT count(DISTINCT account) FROM scopes WHERE account <> '') <= 1
        AND (SELECT count(DISTINCT server) FROM scopes) = 1;
    -- Whose sync it was; NULL where nobody knows it.
    ALTER TABLE runs ADD COLUMN account TEXT;
    UPDATE runs SET account = (
      SELECT max(account) FROM (SELECT account FROM scopes UNION SELECT account FROM setup)
      HAVING count(DISTINCT nullif(account, '')) <= 1);
    DROP VIEW documents_view;
    DROP VIEW lost_view;
    """

  private static let seenDocuments: SQL = """
    SELECT documents.id AS id, coalesce(
        CASE json_type(body, '$.docType') WHEN 'text' THEN body ->> '$.docType' END, collection
      ) AS type,
      server, account, collection, CASE
        WHEN json_type(body, '$._times') IS NULL THEN body ELSE json_remove(body, '$._times')
      END AS body,
      state, documents.entry IS NOT NULL AS pending
    FROM documents JOIN scopes ON scopes.number = documents.scope
    WHERE NOT documents.hidden AND NOT scopes.hidden AND body IS NOT NULL
    """
  private static let seenLosses: SQL = """
    SELECT lost.number AS number, id, collection, path, value, side, reason AS why, at
    FROM lost JOIN scopes ON scopes.number = lost.scope
    """
  private static let isOfProgram: SQL =
    "account = coalesce((SELECT setup.account FROM setup), account)"
  private static let isOfReader: SQL =
    "(server, account) = (SELECT seen_by.server, seen_by.account FROM temp.seen_by)"

  // MARK: - As one account sees them

  /// The names that a statement may use where the views are one account's.
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
