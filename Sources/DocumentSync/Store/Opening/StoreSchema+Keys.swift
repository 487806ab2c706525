extension StoreSchema {
  /// What documents were called before their server gave them a key, and when single ones were
  /// seen.
  static let keys: StaticString = """
    CREATE TABLE aliases (
      -- The number of the document.
      document INTEGER NOT NULL,
      id TEXT NOT NULL,
      PRIMARY KEY (document, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX aliases_ids ON aliases (id);
    CREATE TRIGGER aliases_gone AFTER DELETE ON documents BEGIN
        DELETE FROM aliases WHERE document = old.number;
        DELETE FROM sightings WHERE document = old.number;
      END;

    -- When a server that has no lists showed a document last, in milliseconds since 1970.
    CREATE TABLE sightings (
      document INTEGER PRIMARY KEY,
      at INTEGER NOT NULL
    ) STRICT;
    """
}
