import CatalogMirror
import SyncText

/// A decoder of catalogs: the input is a body.
struct DecoderTarget {
  /// Without one, the format is chosen by content, as for a catalog that nobody named it for.
  private let format: CatalogFormatName?
  /// Whether the body answers a question for what has changed.
  private let asksForChanges: Bool

  init(_ format: CatalogFormatName?, asksForChanges: Bool = false) {
    self.format = format
    self.asksForChanges = asksForChanges
  }

  init(_ format: String) {
    self.init(CatalogFormatName(format))
  }

  /// A secret that no error and no entry may show.
  private static let secret = "token=Hw8vQ2rT"
  private static let catalog = URLReference("https://catalog.test/a/list?" + secret)

  func check(_ bytes: [UInt8]) throws {
    guard let url = Self.catalog else { throw Violation("the catalog's own URL can't be read") }
    guard let page = try decode(bytes, at: url) else { return }
    try checkPage(page)
    let listing: Listing
    do throws(CatalogError) {
      listing = try Self.listing(page, at: url)
    } catch {
      try Self.checkSentence("\(error)", of: bytes)
      return
    }
    try ListingCheck(catalog: url, limits: Self.limits).check(listing)
    if listing.completeness == .complete { try checkPrefixes(of: bytes, page, listing) }
    if page.claim == .changes { try checkPrefixes(ofChanges: bytes, page) }
  }

  /// Small ones, so that short inputs reach them.
  static let limits = {
    var limits = CatalogLimits()
    limits.bytes = 1 << 16
    limits.entries = 40
    limits.nesting = 12
    limits.keyLength = 300
    limits.pages = 12
    limits.depth = 4
    return limits
  }()

  /// The formats whose pages are those of a directory.
  private static let directories: Set<CatalogFormatName> = [
    .nginxHTML, .nginxJSON, .nginxXML, .nginxFancyIndex, .apache, .lighttpd, .python, .caddyHTML,
    .caddyJSON, .listing, .webdav, .simpleIndex,
  ]

  private func decode(_ bytes: [UInt8], at url: URLReference) throws -> CatalogPage? {
    let types = [nil, "text/html", "application/json", "application/x-ndjson", "text/plain"]
    let request = request(to: url)
    let body = CatalogBody(
      url: request.flatMap { URLReference($0.url) } ?? url, request: request,
      mediaType: types[Int(bytes.fingerprint % 5)], date: 1_795_000_000, bytes: bytes)
    do throws(CatalogError) {
      return try CatalogFormats.standard.decode(body, as: format, limits: Self.limits)
    } catch {
      try Self.checkSentence("\(error)", of: bytes)
      return nil
    }
  }

  /// What is asked, where the format has a word in it.
  private func request(to url: URLReference) -> CatalogRequest? {
    guard let format = format.flatMap({ CatalogFormats.standard[name: $0] }) else { return nil }
    return asksForChanges
      ? format.firstRequest(to: url, since: "token") : format.firstRequest(to: url)
  }

  /// A catalog may show its own words in an error, but neither control a terminal nor bring out
  /// what the person who named the catalog confided.
  private static func checkSentence(_ sentence: String, of bytes: [UInt8]) throws {
    try requirePrintable(sentence, "an error of the catalog")
    try require(sentence.utf8.count < 1_500, "an error is longer than anyone reads: \(sentence)")
    try require(
      !sentence.contains(secret) || bytes.text.contains("Hw8v"), "an error shows a secret")
  }

  private func checkPage(_ page: CatalogPage) throws {
    try require(format == nil || page.format == format, "another format than the one asked for")
    try require(
      page.entries.count + page.subdirectories.count <= Self.limits.entries,
      "\(page.entries.count) entries and \(page.subdirectories.count) directories in one page")
    for case .unusable(let entry) in page.entries {
      try requirePrintable("\(entry)", "the sentence of an entry")
    }
    guard !Self.directories.contains(page.format) else { return }
    try require(page.subdirectories.isEmpty, "a catalog with directories")
  }

  /// The listing that the page alone would be.
  private static func listing(
    _ page: CatalogPage, at url: URLReference
  ) throws(CatalogError) -> Listing {
    var options = ListingAssembly.Options()
    options.limits = limits
    var page = page
    page.next = nil
    page.subdirectories = []
    page.parts = []
    var assembly = ListingAssembly(root: url, options: options)
    _ = assembly.begin()
    let digest = SHA256Hasher().finish()
    switch assembly.fetched(url.text, page: page, digest: digest, isFramed: true) {
    case .finish(let listing): return listing
    case .fail(let error): throw error
    case .fetch: throw .unfetched(url: url.redacted, reason: "one page wasn't enough")
    }
  }

  /// A body that was cut never is a complete listing of fewer entries.
  private func checkPrefixes(of bytes: [UInt8], _ page: CatalogPage, _ whole: Listing) throws {
    guard let url = Self.catalog, bytes.count > 1 else { return }
    let keys = Self.keys(whole)
    var choice = bytes.fingerprint
    for _ in 0..<4 {
      choice = choice &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F
      let cut = Array(bytes.prefix(Int((choice >> 33) % UInt64(bytes.count))))
      guard !isBlindTo(cut, of: page, bytes), let part = try decode(cut, at: url),
        let listing = try? Self.listing(part, at: url), listing.completeness == .complete
      else { continue }
      try require(
        Self.keys(listing) == keys && part.next == page.next
          && part.subdirectories == page.subdirectories,
        "cut to \(cut.count) bytes it is complete, with \(listing.entries.count) entries")
    }
  }

  /// Changes that were cut are no changes: else what is gone would be missed for ever.
  private func checkPrefixes(ofChanges bytes: [UInt8], _ page: CatalogPage) throws {
    guard let url = Self.catalog else { return }
    for length in stride(from: 1, to: bytes.count, by: max(1, bytes.count / 8)) {
      guard let part = try decode(Array(bytes.prefix(length)), at: url) else { continue }
      try require(part == page, "cut to \(length) bytes it is other changes")
    }
  }

  private static func keys(_ listing: Listing) -> [CatalogKey?] {
    listing.entries.map(\.key).sorted() + listing.unusable.map(\.key)
  }

  /// Where only the transfer can tell: lines without a count that are cut between two of them, as
  /// those of a `Release` that isn't signed and has one list, and a page that ends twice, as no
  /// server writes.
  private func isBlindTo(_ cut: [UInt8], of page: CatalogPage, _ whole: [UInt8]) -> Bool {
    switch page.format {
    case .catalog: cut.last == 0x0A && page.header.count == nil
    case .debian: cut.last == 0x0A && page.terms.signature != .inClear
    case .apache, .lighttpd, .python, .caddyHTML, .nginxFancyIndex, .simpleIndex:
      whole.text.lowercased().split(separator: "</html>").count > 2
    default: false
    }
  }
}
