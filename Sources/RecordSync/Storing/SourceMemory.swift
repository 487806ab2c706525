import SyncDatabase

/// What servers said of payloads when they were synced: in a table of ours, which is made when
/// there is something to remember for the first time.
struct SourceMemory {
  /// What is remembered of one source.
  struct Entry: Equatable {
    var validators: PageValidators
    /// What the tables held when the sync had ended.
    var content: String
  }

  let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// What is remembered of a source under that fingerprint.
  func entry(of fingerprint: String) throws -> Entry? {
    guard try exists() else { return nil }
    return try connection.row(
      "SELECT etag, last_modified, content FROM recordsync_sources WHERE fingerprint = ?1",
      fingerprint
    ) { row in
      Entry(
        validators: PageValidators(
          etag: try row.optionalText("etag"), lastModified: try row.optionalText("last_modified")),
        content: try row.text("content"))
    }
  }

  /// Replaces what is remembered; with `nil`, forgets it. Within a transaction.
  func setEntry(_ entry: Entry?, of fingerprint: String) throws {
    guard let entry else {
      if try exists() {
        try connection.run("DELETE FROM recordsync_sources WHERE fingerprint = ?1", fingerprint)
      }
      return
    }
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS recordsync_sources (
        fingerprint TEXT NOT NULL PRIMARY KEY,
        etag TEXT,
        last_modified TEXT,
        content TEXT NOT NULL
      ) WITHOUT ROWID
      """)
    try connection.run(
      """
      INSERT INTO recordsync_sources (fingerprint, etag, last_modified, content)
      VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT DO UPDATE SET
        etag = excluded.etag, last_modified = excluded.last_modified, content = excluded.content
      """, fingerprint, entry.validators.etag, entry.validators.lastModified, entry.content)
  }

  private func exists() throws -> Bool {
    try connection.row(
      "SELECT 1 AS one FROM sqlite_schema WHERE type = 'table' AND name = 'recordsync_sources'"
    ) { try $0.integer("one") } != nil
  }
}
