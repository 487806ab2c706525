import SyncText

/// Reads what has changed in an index since its earlier states: a client that holds one of them
/// fetches the differences in place of the whole (Debian's wiki, "DebianRepository/Format", section
/// "Diffs"). They are packed by gzip.
struct DifferencesReader {
  let body: CatalogBody
  /// Where the differences lie, as seen from the root.
  let directory: [UInt8]
  let root: URLReference
  let format: CatalogFormatName

  func page(_ limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    var control = ControlText(body.bytes[body.start...])
    let paragraph = control.paragraph()
    if let line = control.brokenLine {
      throw body.unreadable(expected: .format(format), found: .line(line))
    }
    guard let paragraph else { throw body.unreadable(expected: .format(format)) }
    var page = CatalogPage(format: format, claim: .whole)
    var before: Set<[UInt8]> = []
    for field in Self.fields {
      var named: Set<[UInt8]> = []
      for row in paragraph.rows(field.name) ?? [] {
        guard row.count == 3, let size = Int64(String(decoding: row[1], as: UTF8.self)), size >= 0,
          let digest = ContentDigest(field.algorithm, hexadecimal: row[0])
        else { throw body.unreadable(expected: .format(format), found: .badRow("\(field.name)")) }
        let name = Array(row[2]) + (field.isOfPacked ? [] : Array(".gz".utf8))
        named.insert(name)
        // The strongest digest counts.
        guard !before.contains(name) else { continue }
        page.take(entry(name, size, digest, field), at: page.count + 1)
      }
      before.formUnion(named)
    }
    try body.checkCount(page.count, limits)
    return page
  }

  private struct Field {
    var name: StaticString
    var algorithm: ContentDigest.Algorithm
    /// Whether it says of the files what they are as they lie there, packed.
    var isOfPacked: Bool
  }

  private static let fields = [
    Field(name: "SHA256-Download", algorithm: .sha256, isOfPacked: true),
    Field(name: "SHA1-Download", algorithm: .sha1, isOfPacked: true),
    Field(name: "SHA256-Patches", algorithm: .sha256, isOfPacked: false),
    Field(name: "SHA1-Patches", algorithm: .sha1, isOfPacked: false),
  ]

  private func entry(
    _ name: [UInt8], _ size: Int64, _ digest: ContentDigest, _ field: Field
  ) -> ListedEntry {
    let key = CatalogKey(bytes: directory + name)
    return ListedEntry(key, at: 0) { () throws(EntryProblem) in
      let resolver = LocatorResolver(base: root, catalog: body.url)
      var entry = CatalogEntry(
        key: key, locators: [try resolver.address(ofPath: key.bytes)],
        version: .revision("\(digest)"))
      guard field.isOfPacked else { return (entry, true) }
      entry.size = size
      entry.take([digest])
      return (entry, true)
    }
  }
}
