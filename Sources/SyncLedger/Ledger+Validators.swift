private import SyncDatabase
private import SyncEssentials

extension LedgerReading {
  /// The validators that were kept under these options; `nil` when there are none, or others.
  package func validators<Record>(
    of _: Record.Type, fingerprint: String
  ) throws -> Validators<Record>? {
    // SQLite compares bytes, Swift would fold Unicode forms.
    let kept = try connection.row(
      "SELECT * FROM listing WHERE fingerprint = ?1", fingerprint
    ) { row in
      try row.requireChecksum("checksum")
      return Validators<Record>(
        fingerprint: fingerprint, revision: try row.optionalText("revision"),
        itemCount: Int(try row.integer("item_count")), pages: [])
    }
    guard var validators = kept else { return nil }
    validators.pages = try connection.rows("SELECT * FROM pages ORDER BY position") { row in
      try row.requireChecksum("checksum")
      return Validators.Page(
        record: try record(in: row), etag: try row.optionalText("etag"),
        lastModified: try row.optionalText("last_modified"))
    }
    return validators
  }

  private func record<Record: PageRemembered>(in row: borrowing Row) throws -> Record {
    do {
      return try JSONDecoder().decode(Record.self, from: Data(try row.text("record").utf8))
    } catch is DecodingError {
      throw row.wrongType("record", "not a page's record")
    }
  }
}

extension LedgerWriting {
  /// Replaces the validators as a whole.
  package func setValidators<Record>(_ validators: Validators<Record>) throws {
    try clearValidators()
    try connection.run(
      "INSERT INTO listing (one, fingerprint, revision, item_count) VALUES (1, ?1, ?2, ?3)",
      validators.fingerprint, validators.revision, validators.itemCount)
    for (position, page) in validators.pages.enumerated() {
      try connection.run(
        """
        INSERT INTO pages (position, url, etag, last_modified, record) VALUES (?1, ?2, ?3, ?4, ?5)
        """, position, page.url, page.etag, page.lastModified,
        String(decoding: try JSONEncoder().encode(page.record), as: UTF8.self))
    }
  }

  /// Makes the next pass ask for everything.
  package func clearValidators() throws {
    try connection.run("DELETE FROM listing")
    try connection.run("DELETE FROM pages")
  }
}
