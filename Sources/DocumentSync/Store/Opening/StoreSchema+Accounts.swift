import SyncDatabase

extension StoreSchema {
  /// Ids, deletions, files and lives become unique per account, where they were in a store: two
  /// accounts may each have a document of one id, and each its own.
  ///
  /// Tables that lack whose rows are get it from the collections that these are at home in.
  static func tellAccountsApart(in connection: Connection) throws {
    try DeclaredIndexes.keepingThose(in: connection) {
      for part in [owners, ownedDocuments, ownedTombstones, ownedLives, ownedFiles, ownedNews] {
        try connection.execute(part)
      }
    }
    try connection.run("CREATE VIEW documents_view AS \(seenDocuments) AND \(isOfProgram)")
    try connection.run("CREATE VIEW lost_view AS \(seenLosses) WHERE \(isOfProgram)")
  }

  private static let owners: StaticString = """
    DROP VIEW documents_view;
    DROP VIEW lost_view;
    DROP VIEW entries;
    DROP TRIGGER files_changed;
    DROP TRIGGER files_gone;
    DROP TRIGGER files_doubted;
    -- What the server shows to one account takes nothing from another any more.
    DROP TABLE left_scopes;

    -- Whose a collection is: the number of the same account's first one.
    ALTER TABLE scopes ADD COLUMN owner INTEGER NOT NULL DEFAULT 0;
    UPDATE scopes SET owner = (
      SELECT min(number) FROM scopes AS first
      WHERE first.server = scopes.server AND first.account = scopes.account);
    """

  private static let ownedDocuments: StaticString = """
    DROP INDEX documents_exceptions;
    DROP INDEX documents_plain;
    ALTER TABLE documents RENAME TO documents_of_all;
    CREATE TABLE documents (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      -- Whose it is: the owner of its collection.
      owner INTEGER NOT NULL,
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
        WHEN base_body IS NULL THEN 'synced' ELSE 'edited' END) VIRTUAL,
      UNIQUE (id, owner)
    ) STRICT;
    INSERT INTO documents (number, id, owner, scope, entry, since, hidden, base_version, base_time,
        shown, shown_version, shown_time, body, base_body, shown_body)
      SELECT number, id, (SELECT owner FROM scopes WHERE scopes.number = scope), scope, entry,
        since, hidden, base_version, base_time, shown, shown_version, shown_time, body, base_body,
        shown_body
      FROM documents_of_all ORDER BY number;
    -- A row that is no exception costs a look at each index, whether or not it enters it: one index
    -- of all exceptions in a table is enough.
    CREATE INDEX documents_exceptions ON documents (number) WHERE hidden OR shown IS NOT NULL;
    CREATE INDEX documents_plain ON documents (scope, entry) WHERE since IS NOT NULL;
    DROP TABLE documents_of_all;

    -- All that is to be sent, whether or not it has a row here.
    CREATE VIEW entries AS
      SELECT number, id, scope, since FROM outbox
      UNION ALL
      SELECT entry, id, scope, since FROM documents INDEXED BY documents_plain
      WHERE since IS NOT NULL;
    """

  /// Whose deletion it was, the life of the document says. Where that is forgotten, it may be
  /// anybody's: at the worst a document comes back, and none is lost.
  private static let ownedTombstones: StaticString = """
    ALTER TABLE burials RENAME TO burials_of_all;
    CREATE TABLE burials (
      id TEXT NOT NULL,
      owner INTEGER NOT NULL,
      version TEXT,
      PRIMARY KEY (id, owner)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO burials (id, owner, version)
      SELECT DISTINCT old.id, owner, old.version FROM burials_of_all AS old
      JOIN traces ON traces.id = old.id JOIN scopes ON scopes.number = traces.scope;
    INSERT INTO burials (id, owner, version)
      SELECT DISTINCT old.id, owner, old.version FROM burials_of_all AS old, scopes
      WHERE NOT EXISTS (SELECT 1 FROM burials WHERE burials.id = old.id);
    DROP TABLE burials_of_all;
    """

  private static let ownedLives: StaticString = """
    ALTER TABLE traces RENAME TO traces_of_all;
    CREATE TABLE traces (
      id TEXT NOT NULL,
      owner INTEGER NOT NULL,
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
      scope INTEGER NOT NULL,
      PRIMARY KEY (id, owner, place)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO traces (id, owner, place, at, what, revision, version, words, number, lost, scope)
      SELECT id, owner, place, at, what, revision, version, words, old.number, lost, scope
      FROM traces_of_all AS old JOIN scopes ON scopes.number = scope;
    DROP TABLE traces_of_all;
    """

  private static let ownedFiles: StaticString = """
    DROP INDEX files_open;
    DROP INDEX files_digest;
    DROP INDEX files_loose;
    DROP INDEX files_troubled;
    DROP INDEX files_checking;
    ALTER TABLE files RENAME TO files_of_all;
    CREATE TABLE files (
      number INTEGER PRIMARY KEY,
      -- The document, and whose it is.
      id TEXT NOT NULL,
      owner INTEGER NOT NULL,
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
      UNIQUE (id, owner, digest)
    ) STRICT;
    INSERT INTO files (number, id, owner, scope, digest, size, name, type, is_preview, state, tried,
        loose, words)
      SELECT number, id, (SELECT owner FROM scopes WHERE scopes.number = scope), scope, digest,
        size, name, type, is_preview, state, tried, loose, words
      FROM files_of_all;
    DROP TABLE files_of_all;
    CREATE INDEX files_open ON files (state, is_preview, size)
      WHERE state IN ('up', 'down', 'removing');
    CREATE INDEX files_digest ON files (digest);
    CREATE INDEX files_loose ON files (loose) WHERE loose IS NOT NULL;
    CREATE INDEX files_troubled ON files (id) WHERE words IS NOT NULL;
    CREATE INDEX files_checking ON files (scope) WHERE state = 'checking';
    """

  private static let ownedNews: StaticString = """
    -- Documents that may name other files now. SQLite notes them in the transaction that changes or
    -- removes them, whoever does it; whoever adds one does so itself: a trigger took longer than
    -- the row does.
    ALTER TABLE file_news RENAME TO file_news_of_all;
    CREATE TABLE file_news (
      id TEXT NOT NULL,
      owner INTEGER NOT NULL,
      -- Whether it was changed here.
      is_mine INTEGER NOT NULL,
      PRIMARY KEY (id, owner)
    ) STRICT, WITHOUT ROWID;
    -- Of a document that is gone, whoever has files of that id.
    INSERT INTO file_news (id, owner, is_mine)
      SELECT DISTINCT old.id, owner, is_mine FROM file_news_of_all AS old
      JOIN (SELECT id, owner FROM documents UNION SELECT id, owner FROM files) AS known
        ON known.id = old.id;
    DROP TABLE file_news_of_all;
    CREATE TRIGGER files_changed AFTER UPDATE OF body, scope ON documents
      WHEN (instr(old.body, '"sha256:') OR instr(new.body, '"sha256:'))
        AND (old.body IS NOT new.body OR old.scope <> new.scope) BEGIN
        INSERT INTO file_news (id, owner, is_mine)
          VALUES (new.id, new.owner, new.entry IS NOT NULL)
          ON CONFLICT (id, owner) DO UPDATE SET is_mine = max(is_mine, excluded.is_mine);
      END;
    CREATE TRIGGER files_gone AFTER DELETE ON documents
      WHEN instr(old.body, '"sha256:') BEGIN
        INSERT INTO file_news (id, owner, is_mine) VALUES (old.id, old.owner, 0)
          ON CONFLICT (id, owner) DO NOTHING;
      END;

    -- What a server has no more, and is to be made there again, may have lost its files as well.
    CREATE TRIGGER files_doubted AFTER UPDATE OF base_version ON documents
      WHEN old.base_version IS NOT NULL AND new.base_version IS NULL AND new.body IS NOT NULL BEGIN
        UPDATE files SET state = 'checking'
          WHERE id = new.id AND owner = new.owner AND state = 'settled';
      END;
    """
}
