extension StoreSchema {
  /// The files that documents name, and which documents may name others since they were looked at.
  static let files: StaticString = """
    CREATE TABLE files (
      number INTEGER PRIMARY KEY,
      -- The document.
      id TEXT NOT NULL,
      scope INTEGER NOT NULL,
      digest TEXT NOT NULL,
      size INTEGER NOT NULL,
      name TEXT NOT NULL,
      type TEXT NOT NULL,
      is_preview INTEGER NOT NULL,
      -- 'up' and 'down': where it's to go; 'settled': here and there; 'checking': here, and the
      -- server, which said that it has it, is to be asked once more; 'refused': by the server, and
      -- only here; 'removing': to be removed at the server; 'removed': only here; 'stays': no
      -- document names it, and the server won't remove it.
      state TEXT NOT NULL,
      -- Whether the server may have it, though no answer said so.
      tried INTEGER NOT NULL,
      -- Since when the document doesn't name it, in milliseconds since 1970.
      loose INTEGER,
      -- What keeps it from where it's to go, as it was told last.
      words TEXT,
      UNIQUE (id, digest)
    ) STRICT;
    CREATE INDEX files_open ON files (state, is_preview, size)
      WHERE state IN ('up', 'down', 'removing');
    CREATE INDEX files_digest ON files (digest);
    CREATE INDEX files_loose ON files (loose) WHERE loose IS NOT NULL;
    CREATE INDEX files_troubled ON files (id) WHERE words IS NOT NULL;
    CREATE INDEX files_checking ON files (scope) WHERE state = 'checking';

    -- Documents that may name other files now. SQLite notes them in the transaction that changes or
    -- removes them, whoever does it; whoever adds one does so itself: a trigger took longer than
    -- the row does.
    CREATE TABLE file_news (
      id TEXT NOT NULL PRIMARY KEY,
      -- Whether it was changed here.
      is_mine INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER files_changed AFTER UPDATE OF body, scope ON documents
      WHEN (instr(old.body, '"sha256:') OR instr(new.body, '"sha256:'))
        AND (old.body IS NOT new.body OR old.scope <> new.scope) BEGIN
        INSERT INTO file_news (id, is_mine) VALUES (new.id, new.entry IS NOT NULL)
          ON CONFLICT (id) DO UPDATE SET is_mine = max(is_mine, excluded.is_mine);
      END;
    CREATE TRIGGER files_gone AFTER DELETE ON documents
      WHEN instr(old.body, '"sha256:') BEGIN
        INSERT INTO file_news (id, is_mine) VALUES (old.id, 0) ON CONFLICT (id) DO NOTHING;
      END;

    -- What a server has no more, and is to be made there again, may have lost its files as well.
    CREATE TRIGGER files_doubted AFTER UPDATE OF base_version ON documents
      WHEN old.base_version IS NOT NULL AND new.base_version IS NULL AND new.body IS NOT NULL BEGIN
        UPDATE files SET state = 'checking' WHERE id = new.id AND state = 'settled';
      END;
    """

  /// Files that have an address of their own at the server.
  static let addresses: StaticString = """
    -- The member that has the file's address once it's there; NULL where members name files
    -- themselves.
    ALTER TABLE files ADD COLUMN member TEXT;
    -- The address, which the file has or may have.
    ALTER TABLE files ADD COLUMN address TEXT;
    CREATE INDEX files_addressed ON files (id, member) WHERE member IS NOT NULL;
    -- What is left of a document that went by itself; what wasn't sent is told, and then left.
    CREATE TRIGGER files_left AFTER DELETE ON documents BEGIN
      UPDATE files SET loose = CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
        WHERE id = old.id AND owner = old.owner AND member IS NOT NULL AND loose IS NULL
          AND state NOT IN ('up', 'refused');
    END;
    """

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
      -- The collection that the document was in when it happened.
      scope INTEGER,
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
      problem TEXT,
      -- Whose sync it was.
      account TEXT
    ) STRICT;
    """
}
