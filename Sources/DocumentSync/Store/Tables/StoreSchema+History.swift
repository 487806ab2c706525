extension StoreSchema {
  /// What happened, and is kept for a while.
  static let history: StaticString = """
    -- What happened to documents, the last of it. The first unsent change isn't here as long as its
    -- entry says all there is to say.
    CREATE TABLE traces (
      id TEXT NOT NULL,
      place INTEGER NOT NULL,
      at INTEGER NOT NULL,
      what TEXT NOT NULL,
      -- The number of the content that was saved or sent.
      revision INTEGER,
      version TEXT,
      words TEXT,
      -- A status of HTTP, or how often it happened in a row.
      number INTEGER,
      -- How many changes gave way.
      lost INTEGER,
      PRIMARY KEY (id, place)
    ) STRICT, WITHOUT ROWID;

    -- The last syncs.
    CREATE TABLE runs (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      began INTEGER NOT NULL,
      ended INTEGER NOT NULL,
      reason TEXT NOT NULL,
      -- How many there were of what, as an object of JSON.
      counts TEXT NOT NULL,
      -- Why it failed, if it did.
      problem TEXT
    ) STRICT;
    """
}
