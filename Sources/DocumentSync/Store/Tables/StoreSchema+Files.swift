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
      -- 'up' and 'down': where it's to go; 'settled': here and there; 'refused': by the server, and
      -- only here; 'removing': to be removed at the server; 'removed': only here.
      state TEXT NOT NULL,
      -- Whether the server may have it, though no answer said so.
      tried INTEGER NOT NULL,
      -- Since when the document doesn't name it, in milliseconds since 1970.
      loose INTEGER,
      UNIQUE (id, digest)
    ) STRICT;
    CREATE INDEX files_open ON files (state, is_preview, size)
      WHERE state IN ('up', 'down', 'removing');
    CREATE INDEX files_digest ON files (digest);
    CREATE INDEX files_loose ON files (loose) WHERE loose IS NOT NULL;

    -- Documents that may name other files now. SQLite notes them in the transaction that changes
    -- them, whoever does it.
    CREATE TABLE file_news (
      id TEXT NOT NULL PRIMARY KEY,
      -- Whether it was changed here.
      is_mine INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER files_made AFTER INSERT ON documents
      WHEN instr(new.body, '"sha256:') BEGIN
        INSERT INTO file_news (id, is_mine) VALUES (new.id, new.entry IS NOT NULL)
          ON CONFLICT (id) DO UPDATE SET is_mine = max(is_mine, excluded.is_mine);
      END;
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
    """
}
