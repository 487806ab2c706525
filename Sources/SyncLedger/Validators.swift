/// What to send so that the server can say that nothing changed, from the last pass that was
/// complete and without failures.
///
/// `Record` is what the processor needs to know of a page next time.
package struct Validators<Record: PageRemembered>: Hashable, Sendable {
  /// The options that the pass ran under, the address among them; opaque here.
  package var fingerprint: String
  /// The revision that the listing declared.
  package var revision: String?
  /// How many entries the listing had.
  package var itemCount: Int
  /// Every page of the listing, in the order in which they were read.
  package var pages: [Page]

  /// Validators of a listing.
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
    package var record: Record

    /// A page from its parts.
    package init(record: Record, etag: String? = nil, lastModified: String? = nil) {
      self.record = record
      self.etag = etag
      self.lastModified = lastModified
    }

    /// The address that was asked for.
    package var url: String { record.url }
  }
}

/// What a processor needs to know of a page that the server says is as it was. It is stored as
/// JSON.
package protocol PageRemembered: Codable, Hashable, Sendable {
  /// The address that was asked for.
  var url: String { get }
}
