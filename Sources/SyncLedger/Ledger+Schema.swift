package import SyncDatabase

extension Ledger {
  /// All migrations of the ledger ever, oldest first; a processor puts them before its own.
  package static let migrations = [
    Migration("ledger 1 runs, failures, validators, values") { try createTables(in: $0) }
  ]

  /// Makes the tables, for a processor whose own migration had them before there was a ledger.
  ///
  /// Their texts are part of files that exist, and so never change by a letter. What a run goes by
  /// bears a checksum over the columns before it.
  package static func createTables(in connection: Connection) throws {
    try connection.execute(listing)
    try connection.execute(history)
  }

  private static let listing: StaticString = """
    CREATE TABLE listing (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      fingerprint TEXT NOT NULL,
      revision TEXT,
      item_count INTEGER NOT NULL,
      checksum INTEGER NOT NULL AS (row_checksum(
        one, fingerprint, revision, item_count)) STORED
    ) STRICT;
    CREATE TABLE pages (
      position INTEGER PRIMARY KEY,
      url TEXT NOT NULL,
      etag TEXT,
      last_modified TEXT,
      record TEXT NOT NULL,
      checksum INTEGER NOT NULL AS (row_checksum(
        position, url, etag, last_modified, record)) STORED
    ) STRICT;
    """

  private static let history: StaticString = """
    CREATE TABLE meta (
      name TEXT NOT NULL PRIMARY KEY,
      value TEXT NOT NULL,
      checksum INTEGER NOT NULL AS (row_checksum(name, value)) STORED
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE failures (
      position INTEGER PRIMARY KEY,
      key BLOB NOT NULL UNIQUE,
      sentence TEXT NOT NULL
    ) STRICT;
    CREATE TABLE runs (
      id INTEGER PRIMARY KEY,
      started INTEGER NOT NULL,
      ended INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      listed INTEGER NOT NULL,
      removed INTEGER NOT NULL,
      updated INTEGER NOT NULL,
      downloaded INTEGER NOT NULL,
      skipped INTEGER NOT NULL,
      failed INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      catalog TEXT NOT NULL,
      error TEXT
    ) STRICT;
    """
}
