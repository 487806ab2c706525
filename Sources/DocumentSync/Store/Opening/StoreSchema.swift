import SyncDatabase

/// The tables of a store.
///
/// A document is one row with what people see of it and what the server had last; what is to be
/// sent of it is another, found by its number. So most documents, which nobody edits just now, have
/// no more than a row and a place in the index of ids; and new ones, of which there may be many at
/// once, no more than that and a place in the index of those.
///
/// Whatever is known by the id of a document is so per account: rows say whose they are by a
/// number, `owner`, that of the account's first collection (`scopes.owner`). Numbers of entries and
/// of contents are a store's.
enum StoreSchema {
  /// What a store's file is known by among all of SQLite's: the letters `OWSD`.
  static let applicationID: Int64 = 0x4F57_5344

  /// All migrations ever, oldest first.
  static let migrations = [
    Migration("documents") { connection in
      try connection.execute("PRAGMA application_id = 0x4F575344")
      for part in [scopes, documents, outbox, servers, history, reports, accounts, files] {
        try connection.execute(part)
      }
      // What people see: where a program was told whose store it is, nobody else's.
      try connection.run("CREATE VIEW documents_view AS \(seenDocuments) AND \(isOfProgram)")
      try connection.run("CREATE VIEW lost_view AS \(seenLosses) WHERE \(isOfProgram)")
    },
    Migration("accounts") { try tellAccountsApart(in: $0) },
    Migration("answers") { try $0.execute(answers) },
    Migration("addresses") { try $0.execute(addresses) },
    Migration("keys") { try $0.execute(keys) },
    Migration("filters") { try $0.execute(filters) },
  ]

  private static let scopes: StaticString = """
    -- What is known of the store as a whole, in one row.
    CREATE TABLE store (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      -- What no other store is called.
      name TEXT NOT NULL,
      -- The number that the next change takes.
      next INTEGER NOT NULL,
      -- When what is too old was last looked for, in milliseconds since 1970.
      tidied INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    INSERT INTO store (one, name, next) VALUES (1, lower(hex(randomblob(16))), 1);

    -- Where documents are at home.
    CREATE TABLE scopes (
      number INTEGER PRIMARY KEY,
      server TEXT NOT NULL,
      account TEXT NOT NULL,
      collection TEXT NOT NULL,
      -- Whether none of its documents may be read just now.
      hidden INTEGER NOT NULL DEFAULT 0,
      -- What everything here is known to be as new as, in the server's own words.
      checkpoint TEXT,
      -- Why all of it is to be compared with a list of everything: 'forgotten'; NULL if it isn't.
      comparing TEXT,
      UNIQUE (server, account, collection)
    ) STRICT;
    """

  private static let documents: StaticString = """
    CREATE TABLE documents (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      scope INTEGER NOT NULL,
      -- The number of what is to be sent of it.
      entry INTEGER,
      -- Since when it's to be created, in milliseconds since 1970, as long as nothing else is to be
      -- said of that: then it has no row in the outbox, where its place would be `entry`. NULL
      -- otherwise.
      since INTEGER,
      hidden INTEGER NOT NULL,
      -- The server's copy that a local change stands on. Its body is NULL where it's the present
      -- one: then the document is synced.
      base_version TEXT,
      base_time INTEGER,
      -- What the server said since, while somebody is to decide, or a request is under way.
      shown TEXT,
      shown_version TEXT,
      shown_time INTEGER,
      -- The longest ones last, so that the others are read without them.
      body TEXT,
      base_body TEXT,
      shown_body TEXT,
      state TEXT NOT NULL AS (CASE
        WHEN body IS NULL THEN 'deleted' WHEN base_version IS NULL THEN 'created'
        WHEN base_body IS NULL THEN 'synced' ELSE 'edited' END) VIRTUAL
    ) STRICT;
    -- A row that is no exception costs a look at each index, whether or not it enters it: one index
    -- of all exceptions in a table is enough.
    CREATE INDEX documents_exceptions ON documents (number) WHERE hidden OR shown IS NOT NULL;
    CREATE INDEX documents_plain ON documents (scope, entry) WHERE since IS NOT NULL;

    -- Deletions, for documents that are made anew under an old id.
    CREATE TABLE burials (
      id TEXT NOT NULL PRIMARY KEY,
      version TEXT
    ) STRICT, WITHOUT ROWID;
    """

  private static let outbox: StaticString = """
    CREATE TABLE outbox (
      -- The place: in the order of the first unsent changes.
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      scope INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      change TEXT NOT NULL,
      base TEXT,
      phase TEXT NOT NULL,
      -- Whether it's sent after all that can be sent without it.
      is_last INTEGER NOT NULL,
      -- When the first unsent change was made, in milliseconds since 1970.
      since INTEGER NOT NULL,
      -- As high as the numbers were when the server turned out to have something else.
      contested INTEGER,
      -- How the details are written, and what is seldom to be said of an entry.
      form INTEGER NOT NULL,
      details TEXT
    ) STRICT;
    -- The number, by which they're in order, is at the end of each anyway.
    CREATE INDEX outbox_waiting ON outbox (scope, is_last) WHERE phase = 'waiting';
    CREATE INDEX outbox_exceptions ON outbox (phase, number, change, form)
      WHERE phase = 'sending' OR phase = 'contested' OR phase = 'setAside' OR change = 'delete'
        OR form <> 1;

    -- Which documents an entry goes after.
    CREATE TABLE awaited (
      entry INTEGER NOT NULL,
      id TEXT NOT NULL,
      PRIMARY KEY (entry, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX awaited_ids ON awaited (id);

    -- All that is to be sent, whether or not it has a row here.
    CREATE VIEW entries AS
      SELECT number, id, scope, since FROM outbox
      UNION ALL
      SELECT entry, id, scope, since FROM documents INDEXED BY documents_plain
      WHERE since IS NOT NULL;

    -- Earlier contents of documents that a server may have taken.
    CREATE TABLE contents (
      revision INTEGER PRIMARY KEY,
      body TEXT NOT NULL
    ) STRICT;
    """

  private static let servers: StaticString = """
    -- How long servers are to be left alone; milliseconds since 1970.
    CREATE TABLE pauses (
      server TEXT NOT NULL PRIMARY KEY,
      troubles INTEGER NOT NULL,
      own_from INTEGER,
      own_until INTEGER,
      retry_from INTEGER,
      retry_until INTEGER,
      backoff_from INTEGER,
      backoff_until INTEGER
    ) STRICT, WITHOUT ROWID;

    -- What servers can do, as they said last.
    CREATE TABLE capabilities (
      server TEXT NOT NULL PRIMARY KEY,
      -- The names of its features, separated by spaces.
      features TEXT NOT NULL,
      batch_entries INTEGER NOT NULL,
      batch_bytes INTEGER,
      read_only INTEGER NOT NULL,
      at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- What a server has no more, and what is here until the end of its list has shown how much that
    -- is in all.
    CREATE TABLE vanished (
      scope INTEGER NOT NULL,
      id TEXT NOT NULL,
      -- Whether the server forgot it, and tells of no deletion.
      forgotten INTEGER NOT NULL,
      version TEXT,
      -- Whether all that vanished would have been too much to go.
      held_back INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (scope, id)
    ) STRICT, WITHOUT ROWID;
    """

  private static let reports: StaticString = """
    -- Changes that gave way, from which they can be taken back for a while.
    CREATE TABLE lost (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL,
      scope INTEGER NOT NULL,
      -- The names down to the member, as an array of JSON; none for the whole document.
      path TEXT NOT NULL,
      -- NULL where it was removed.
      value TEXT,
      side TEXT NOT NULL,
      reason TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX lost_at ON lost (at);

    -- What a server has and can't be stored.
    CREATE TABLE failures (
      scope INTEGER NOT NULL,
      -- The document's id, or what else it's told from others by.
      name TEXT NOT NULL,
      words TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (scope, name)
    ) STRICT, WITHOUT ROWID;
    """

  private static let answers: StaticString = """
    -- How many bytes the answers take that are kept.
    ALTER TABLE store ADD COLUMN answers INTEGER NOT NULL DEFAULT 0;
    -- What servers answered last to what is to be sent.
    CREATE TABLE answers (
      entry INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      request TEXT NOT NULL,
      status INTEGER,
      -- An array of JSON of names and values.
      fields TEXT NOT NULL,
      body TEXT NOT NULL,
      -- How many the body had.
      bytes INTEGER NOT NULL,
      problem TEXT,
      -- How many are kept of all of it.
      size INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX answers_at ON answers (at, entry);
    CREATE TRIGGER answers_come AFTER INSERT ON answers BEGIN
      UPDATE store SET answers = answers + new.size;
    END;
    CREATE TRIGGER answers_go AFTER DELETE ON answers BEGIN
      UPDATE store SET answers = answers - old.size;
    END;
    CREATE TRIGGER answers_end AFTER DELETE ON outbox BEGIN
      DELETE FROM answers WHERE entry = old.number;
    END;
    """

  private static let accounts: StaticString = """
    -- How far servers' clocks are ahead of ours; milliseconds.
    CREATE TABLE times (
      server TEXT NOT NULL PRIMARY KEY,
      ahead INTEGER NOT NULL,
      -- A difference that only one answer told of.
      doubted INTEGER,
      -- The last time that was written on a change; since 1970.
      stamp INTEGER
    ) STRICT, WITHOUT ROWID;

    -- Collections of accounts that others took over from.
    CREATE TABLE left_scopes (
      scope INTEGER PRIMARY KEY
    ) STRICT;

    -- What the program was told of the store, in one row.
    CREATE TABLE setup (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      service TEXT NOT NULL,
      server TEXT NOT NULL,
      bucket TEXT NOT NULL,
      account TEXT NOT NULL,
      password_file TEXT,
      -- The types and their collections, as an array of JSON.
      kinds TEXT NOT NULL,
      -- How the server speaks of its documents, as an object of JSON.
      dialect TEXT
    ) STRICT;

    -- What queries of a server found last, in its order.
    CREATE TABLE queries (
      scope INTEGER NOT NULL,
      name TEXT NOT NULL,
      place INTEGER NOT NULL,
      id TEXT NOT NULL,
      PRIMARY KEY (scope, name, place)
    ) STRICT, WITHOUT ROWID;
    """
}
