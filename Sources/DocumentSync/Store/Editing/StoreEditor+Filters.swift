import SyncDatabase
private import SyncEssentials

/// Collections of which a store holds what a filter lets through.
///
/// A server tells what has changed and is let through, and nothing of what isn't any more, nor of
/// what was deleted: filters hide that. So all that a filter lets through is listed once a day, by
/// ids, and what is here and isn't named leaves: its copy here goes, and nobody is told that it was
/// deleted, which isn't known. What was changed here stays, and is sent.
extension StoreEditor {
  /// How old a whole list may be: a day, in milliseconds.
  private static let spanOfLists: Int64 = 86_400_000

  /// A pull begins that asks for what this filter lets through; `nil` for everything. Where it was
  /// another one, what is known of the collection's list counts for nothing.
  func filters(_ scope: DocumentScope, by filter: CollectionFilter?) throws {
    if filter == nil, try session.number(of: scope) == nil { return }
    let number = try session.makeNumber(of: scope)
    let changed = try session.connection.run(
      """
      UPDATE scopes SET filter = ?2, checkpoint = NULL, listed = NULL
      WHERE number = ?1 AND filter IS NOT ?2
      """, number, filter?.written)
    guard changed > 0 else { return }
    try session.connection.run("DELETE FROM vanished WHERE scope = ?1 AND outside", number)
  }

  /// Whether all that the filter lets through is to be listed: nothing of it was, or a day ago.
  ///
  /// - Parameter now: in milliseconds since 1970. By a clock that was put back, it's time as well.
  func isListDue(of scope: DocumentScope, at now: Int64) throws -> Bool {
    guard let number = try session.number(of: scope) else { return true }
    return try session.connection.row(
      """
      SELECT listed IS NULL OR listed NOT BETWEEN ?2 AND ?3 AS due FROM scopes WHERE number = ?1
      """, number, now - Self.spanOfLists + 1, now
    ) { try $0.flag("due") } ?? true
  }

  /// A whole list of what the filter lets through has ended.
  func listed(_ scope: DocumentScope, at now: Int64) throws {
    guard let number = try session.number(of: scope) else { return }
    try session.connection.run(
      "UPDATE scopes SET listed = ?2 WHERE number = ?1 AND filter IS NOT NULL", number, now)
  }

  /// What a list that begins may show to have left the filter.
  func candidates(in scope: DocumentScope) throws -> Set<DocumentID> {
    guard let number = try session.number(of: scope) else { return [] }
    return Set(
      try session.connection.rows(
        "SELECT id FROM documents WHERE scope = ?1 AND \(Self.mayLeave)", number
      ) { DocumentID(try $0.text("id")) })
  }

  /// A whole list doesn't name these: they go, if it isn't too much. What an earlier list didn't
  /// name is forgotten.
  func leftFilter(_ ids: [DocumentID], in number: Int64) throws {
    let left = Set(ids)
    let before = try session.connection.rows(
      "SELECT id FROM vanished WHERE scope = ?1 AND outside", number
    ) { DocumentID(try $0.text("id")) }
    for id in before where !left.contains(id) { try forgetVanished(id, in: number) }
    for id in ids {
      try session.connection.run(
        """
        INSERT INTO vanished (scope, id, forgotten, outside) VALUES (?1, ?2, 0, 1)
        ON CONFLICT (scope, id) DO NOTHING
        """, number, id.text)
    }
  }

  /// What left the filter goes now, so many documents at most; what was changed meanwhile stays.
  func letLeave(
    _ scope: DocumentScope, _ number: Int64, limit: Int64
  ) throws -> [PulledOutcome] {
    let due = try session.connection.rows(
      "SELECT id FROM vanished WHERE scope = ?1 AND outside ORDER BY id LIMIT ?2", number, limit
    ) { DocumentID(try $0.text("id")) }
    return try due.map { id in
      try forgetVanished(id, in: number)
      guard try mayLeave(id, in: number) else {
        return PulledOutcome(id: id, isChanged: false, decision: nil)
      }
      let wasSeen = try change(id, in: scope) { document, _ in
        defer { document.leftFilter() }
        return !document.isHidden
      }
      return PulledOutcome(
        id: id, isChanged: wasSeen ?? false, decision: nil, hasLeftFilter: true)
    }
  }

  private func mayLeave(_ id: DocumentID, in number: Int64) throws -> Bool {
    try session.connection.row(
      "SELECT 1 FROM documents WHERE scope = ?1 AND id = ?2 AND \(Self.mayLeave)", number, id.text
    ) { _ in true } ?? false
  }

  /// A document is as the server had it last, and so are its files: nothing is lost with its copy.
  private static let mayLeave: SQL = """
    entry IS NULL AND shown IS NULL AND body IS NOT NULL AND base_version IS NOT NULL
      AND base_body IS NULL
      AND NOT EXISTS (SELECT 1 FROM files
        WHERE files.id = documents.id AND files.owner = documents.owner
          AND (state = 'removing' OR state IN ('up', 'refused') AND loose IS NULL))
      AND NOT EXISTS (SELECT 1 FROM file_news
        WHERE file_news.id = documents.id AND file_news.owner = documents.owner AND is_mine)
    """
}

extension StoredDocument {
  /// The filter doesn't let it through any more: its copy here goes, which no server is told.
  mutating func leftFilter() {
    note(.leftFilter)
    becomeNothing(after: tombstone)
  }
}

extension StoreReader {
  /// What the collections hold that have a filter, by name.
  package func filteredCollections() throws -> [FilteredCollection] {
    let own = try session.isOwn("number")
    return try session.connection.rows(
      """
      SELECT collection, filter, listed FROM scopes
      WHERE filter IS NOT NULL AND \(own) ORDER BY collection
      """
    ) { row in
      FilteredCollection(
        collection: try row.text("collection"),
        filter: CollectionFilter(written: try row.text("filter")),
        listed: try row.optionalInteger("listed").map { Date(milliseconds: $0) })
    }
  }
}
