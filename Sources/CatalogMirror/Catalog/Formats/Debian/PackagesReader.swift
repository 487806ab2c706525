import SyncText

/// Reads a list of packages (Debian Policy Manual, section 5.3; "DebianRepository/Format", section
/// "Packages indices").
struct PackagesReader {
  let body: CatalogBody
  let root: URLReference
  let format: CatalogFormatName

  func page(_ limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    var page = CatalogPage(format: format, claim: .whole)
    var control = ControlText(body.bytes[body.start...])
    var position = 0
    while !Task.isCancelled, let paragraph = control.paragraph() {
      position += 1
      page.take(entry(paragraph, position), at: position)
      if position > limits.entries { break }
    }
    if let line = control.brokenLine {
      throw body.unreadable(expected: .format(format), found: .line(line))
    }
    try body.checkCount(position, limits)
    return page
  }

  private func entry(
    _ paragraph: ControlText.Paragraph, _ position: Int
  ) -> ListedEntry {
    let path = paragraph["Filename"].flatMap { $0.isEmpty ? nil : $0 }
    let name = path.map { Array($0.starts(with: "./".utf8) ? $0.dropFirst(2) : $0) }
    return ListedEntry(name.map { CatalogKey(bytes: $0) }, at: position) {
      () throws(EntryProblem) in
      guard let name else { throw .noKey }
      let resolver = LocatorResolver(base: root, catalog: body.url)
      var entry = CatalogEntry(
        key: CatalogKey(bytes: name), locators: [try resolver.address(ofPath: name)])
      if let size = paragraph.text("Size") {
        guard let size = Int64(size), size >= 0 else {
          throw .field(name: "Size", expected: "a whole number of bytes")
        }
        entry.size = size
      }
      entry.take(try digests(paragraph))
      return (entry, true)
    }
  }

  /// The strongest one; an archive says the same by several.
  private func digests(
    _ paragraph: ControlText.Paragraph
  ) throws(EntryProblem) -> [ContentDigest] {
    let fields: [(StaticString, ContentDigest.Algorithm)] = [
      ("SHA256", .sha256), ("SHA512", .sha512), ("SHA1", .sha1), ("MD5sum", .md5),
    ]
    for (name, algorithm) in fields {
      guard let digits = paragraph[name] else { continue }
      guard let digest = ContentDigest(algorithm, hexadecimal: digits) else {
        throw .field(name: "\(name)", expected: "\(2 * algorithm.byteCount) hexadecimal digits")
      }
      return [digest]
    }
    throw .field(name: "SHA256", expected: "there")
  }
}
