private import SyncDatabase
private import SyncEssentials

/// What to send so that the server can say that nothing changed, from the last pass that was
/// complete and without failures.
package struct ListingValidators: Hashable, Sendable {
  /// The options that the pass ran under, the address among them; opaque here.
  package var fingerprint: String
  package var revision: String?
  package var itemCount: Int
  /// Every page of the listing, in the order in which they were read.
  package var pages: [Page]

  package init(fingerprint: String, revision: String? = nil, itemCount: Int, pages: [Page]) {
    self.fingerprint = fingerprint
    self.revision = revision
    self.itemCount = itemCount
    self.pages = pages
  }

  package struct Page: Hashable, Sendable {
    /// `ETag`, as sent (RFC 9110, section 8.8.3).
    package var etag: String?
    /// `Last-Modified`, as sent (RFC 9110, section 8.8.2).
    package var lastModified: String?
    /// What the listing needs to know of the page next time.
    package var record: PageRecord

    package init(record: PageRecord, etag: String? = nil, lastModified: String? = nil) {
      self.record = record
      self.etag = etag
      self.lastModified = lastModified
    }

    package var url: String { record.url }
  }
}

extension IndexAccess {
  /// The validators that were kept under these options; `nil` when there are none, or others.
  package func validators(fingerprint: String) throws -> ListingValidators? {
    // SQLite compares bytes, Swift would fold Unicode forms.
    let kept = try connection.row(
      "SELECT * FROM listing WHERE fingerprint = ?1", fingerprint
    ) { row in
      try row.requireChecksum("checksum")
      return ListingValidators(
        fingerprint: fingerprint, revision: try row.optionalText("revision"),
        itemCount: Int(try row.integer("item_count")), pages: [])
    }
    guard var validators = kept else { return nil }
    validators.pages = try connection.rows("SELECT * FROM pages ORDER BY position") { row in
      try row.requireChecksum("checksum")
      return ListingValidators.Page(
        record: try record(in: row), etag: try row.optionalText("etag"),
        lastModified: try row.optionalText("last_modified"))
    }
    return validators
  }

  private func record(in row: borrowing Row) throws -> PageRecord {
    do {
      return try JSONDecoder().decode(PageRecord.self, from: Data(try row.text("record").utf8))
    } catch is DecodingError {
      throw row.wrongType("record", "not a page's record")
    }
  }
}

extension IndexWriter {
  package func setValidators(_ validators: ListingValidators) throws {
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

  package func clearValidators() throws {
    try connection.run("DELETE FROM listing")
    try connection.run("DELETE FROM pages")
  }
}
