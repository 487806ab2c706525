import SyncDatabase

extension MirrorIndex {
  /// All migrations ever, oldest first.
  ///
  /// Their texts are part of files that exist, and so never change by a letter. What a run goes by
  /// bears a checksum over the columns before it; a column that is added later comes behind it.
  static let migrations = [
    Migration("1 items, removal, validators, failures, runs") { connection in
      try connection.execute(items)
      try connection.execute(quarantine)
      try connection.execute(listing)
      try connection.execute(history)
    },
    Migration("2 placements") { try $0.execute(placing) },
    Migration("3 items that lack something, and the lines of all") { try $0.execute(lacking) },
    Migration("4 further digests of contents") { try $0.execute(checks) },
    Migration("5 the placements of a batch in one row") { connection in
      let marks = try connection.placementsOfOwnRows()
      try connection.execute(batches)
      guard !marks.isEmpty else { return }
      try connection.run("INSERT INTO placing (marks) VALUES (?1)", PlacementBatch(marks))
    },
    Migration("6 files by their digests") { try $0.execute(digests) },
  ]

  private static let items: StaticString = """
    CREATE TABLE items (
      key BLOB NOT NULL PRIMARY KEY,
      -- What the catalog said. The first locator is a column, further ones are a JSON array.
      version BLOB NOT NULL,
      size INTEGER,
      estimated_size INTEGER,
      sha256 BLOB,
      modified REAL,
      download_order INTEGER NOT NULL,
      locator TEXT,
      other_locators TEXT,
      title TEXT,
      preview_locator TEXT,
      preview_version BLOB,
      preview_size INTEGER,
      preview_sha256 BLOB,
      extra TEXT,
      -- What is held; all NULL when nothing is.
      content_version BLOB,
      content_size INTEGER,
      content_modified INTEGER,
      content_inode INTEGER,
      content_sha256 BLOB,
      held_preview_version BLOB,
      held_preview_name TEXT,
      held_preview_size INTEGER,
      held_preview_modified INTEGER,
      -- The name in quarantine that a removal in progress moves the content to.
      removing_to TEXT,
      -- The validators that came with the content.
      content_etag TEXT,
      content_last_modified TEXT,
      held_preview_sha256 BLOB,
      checksum INTEGER NOT NULL AS (row_checksum(
        key, version, size, estimated_size, sha256, modified, download_order, locator,
        other_locators, title, preview_locator, preview_version, preview_size, preview_sha256,
        extra, content_version, content_size, content_modified, content_inode, content_sha256,
        held_preview_version, held_preview_name, held_preview_size, held_preview_modified,
        removing_to, content_etag, content_last_modified, held_preview_sha256)) STORED
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX items_removing ON items (removing_to) WHERE removing_to IS NOT NULL;
    """

  private static let lacking: StaticString = """
    -- What has to be fetched, or asked about, though the listing hasn't changed: found without
    -- reading every row. A version of one letter is the unknown one; a preview without a version
    -- goes by its URL. A preview that is held and no longer listed counts too: it is removed.
    ALTER TABLE items ADD COLUMN lacks_content INTEGER NOT NULL AS (
      content_version IS NOT version OR version = x'75') VIRTUAL;
    ALTER TABLE items ADD COLUMN lacks_preview INTEGER NOT NULL AS (
      held_preview_version IS NOT
        CASE preview_version WHEN x'75' THEN CAST('rurl ' || preview_locator AS BLOB)
          ELSE preview_version END) VIRTUAL;
    -- What the line of the catalog that the entry was read from is known by.
    ALTER TABLE items ADD COLUMN line BLOB;
    CREATE INDEX items_lacking_content ON items (key) WHERE lacks_content;
    CREATE INDEX items_lacking_preview ON items (key) WHERE lacks_preview;
    """

  private static let checks: StaticString = """
    -- What the bytes are held against beside sha256; see StoredChecks.
    ALTER TABLE items ADD COLUMN checks BLOB;
    """

  private static let placing: StaticString = """
    -- Files that are about to be renamed into place, as they will be held.
    CREATE TABLE placing (
      key BLOB NOT NULL PRIMARY KEY,
      locator TEXT,
      version BLOB NOT NULL,
      size INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      inode INTEGER NOT NULL,
      sha256 BLOB,
      etag TEXT,
      last_modified TEXT,
      checksum INTEGER NOT NULL AS (row_checksum(
        key, locator, version, size, modified, inode, sha256, etag, last_modified)) STORED
    ) STRICT, WITHOUT ROWID;
    """

  private static let batches: StaticString = """
    -- The files of a batch that are about to be renamed into place; see PlacementBatch.
    DROP TABLE placing;
    CREATE TABLE placing (
      number INTEGER PRIMARY KEY,
      marks BLOB NOT NULL,
      checksum INTEGER NOT NULL AS (row_checksum(number, marks)) STORED
    ) STRICT;
    """

  private static let digests: StaticString = """
    -- Where bytes are that a catalog lists; see HeldBytes. Of a digest the beginning is enough to
    -- find it, and takes a third less room.
    ALTER TABLE quarantine ADD COLUMN sha256 BLOB;
    CREATE INDEX items_content_digest ON items (substr(content_sha256, 1, 8))
      WHERE content_sha256 IS NOT NULL;
    CREATE INDEX items_preview_digest ON items (substr(held_preview_sha256, 1, 8))
      WHERE held_preview_sha256 IS NOT NULL;
    CREATE INDEX quarantine_digest ON quarantine (substr(sha256, 1, 8))
      WHERE sha256 IS NOT NULL;
    -- Of bytes, those that a run made of files that were here.
    ALTER TABLE runs ADD COLUMN copied_bytes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN copied INTEGER NOT NULL DEFAULT 0;
    """

  private static let quarantine: StaticString = """
    CREATE TABLE quarantine (
      name TEXT NOT NULL PRIMARY KEY,
      key BLOB NOT NULL,
      size INTEGER NOT NULL,
      removed_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

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

extension Connection {
  /// What the second migration's table holds.
  fileprivate func placementsOfOwnRows() throws -> [PlacementMark] {
    try rows("SELECT * FROM placing ORDER BY key") { row in
      try row.requireChecksum("checksum")
      return PlacementMark(
        key: try row.byteString("key"), locator: try row.optionalText("locator"),
        content: IndexedContent(
          version: try row.version("version"), size: try row.integer("size"),
          modifiedNanoseconds: try row.integer("modified"),
          inode: UInt64(bitPattern: try row.integer("inode")),
          sha256: try row.optionalDigest("sha256"), etag: try row.optionalText("etag"),
          lastModified: try row.optionalText("last_modified")))
    }
  }
}
