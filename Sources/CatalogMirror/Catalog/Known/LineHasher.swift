import SyncText

/// Digests the lines of one page of a catalog.
struct LineHasher: ~Copyable {
  private let context: [UInt8]
  private let base: String
  private var hasher = SHA256Hasher()

  /// To be raised whenever ``EntryReader`` comes to read a line differently: what was read by the
  /// old rules is then read anew.
  private static let rules = "1"

  /// A hasher for lines that are read like this.
  ///
  /// The query of the base may be signed anew each time and is left out; see ``tells(_:)``.
  /// Where the catalog is matters only to a catalog that is a file (see ``LocatorRules``).
  init(_ lines: CatalogLines) {
    let isFile = lines.catalog.scheme == "file"
    base = lines.base.withoutQuery.text
    let text = [Self.rules, base, isFile ? lines.catalog.text : ""]
      .joined(separator: "\n")
    var hasher = SHA256Hasher()
    Array(text.utf8).withUnsafeBytes { hasher.update($0) }
    context = hasher.finish().bytes
  }

  /// The digest of a line, given without its newline.
  mutating func digest(of line: UnsafeRawBufferPointer) -> LineDigest {
    context.withUnsafeBytes { hasher.update($0) }
    hasher.update(line)
    return LineDigest(hasher.finishAndRestart())
  }

  /// Whether a line's digest tells all of its entry: not of one that is at the base itself, and so
  /// may have taken over its query (RFC 3986, section 5.2.2). A path that isn't empty takes none.
  func tells(_ entry: CatalogEntry) -> Bool {
    if entry.isWhereItsKeySays, entry.preview == nil { return true }
    let locators = entry.locators + [entry.preview?.locator].compactMap(\.self)
    return !locators.contains { $0 == base || $0.hasPrefix(base + "?") }
  }
}
