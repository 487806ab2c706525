import SyncText

/// Metalink 4 (RFC 5854): files, each with its size, its digests and the places where it is, by
/// their priority.
///
/// A file's key is its name. `metaurl` isn't followed, and pieces aren't looked at. Of unknown
/// origin: never whole by itself, only by a person's word.
struct MetalinkFormat: CatalogFormat {
  let name = CatalogFormatName.metalink
  let noun = "a Metalink document"

  fileprivate static let namespace = "urn:ietf:params:xml:ns:metalink"

  func recognises(_ body: CatalogBody) -> Bool {
    if body.mediaType == "application/metalink4+xml" { return true }
    let head = String(decoding: body.opening.prefix(4_096), as: UTF8.self)
    return head.hasPrefix("<") && head.contains("<metalink") && head.contains(Self.namespace)
  }

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    let document = try body.xml(expected: name)
    guard document.root.isCalled("metalink", in: Self.namespace) else {
      throw body.unreadable(expected: .format(name))
    }
    var page = CatalogPage(format: name, claim: .unvouchable)
    try document.forEach { file throws(CatalogError) in
      guard file.isCalled("file", in: Self.namespace) else { return }
      let position = page.count + 1
      page.take(MetalinkFile(file, body).entry(position: position), at: position)
      try body.checkCount(page.count, limits)
    }
    // A document has one at least (section 4.2.1).
    guard page.count > 0 else { throw body.unreadable(expected: .format(name)) }
    return page
  }
}

private struct MetalinkFile {
  private let file: MarkupElement
  private let body: CatalogBody

  init(_ file: MarkupElement, _ body: CatalogBody) {
    self.file = file
    self.body = body
  }

  func entry(position: Int) -> ListedEntry {
    let key = file.attribute("name").flatMap { $0.isEmpty ? nil : CatalogKey($0) }
    return ListedEntry(key, at: position) { () throws(EntryProblem) in
      guard let key else { throw .noKey }
      var entry = CatalogEntry(key: key, locators: try locators)
      if let size = file.all("size", in: MetalinkFormat.namespace).first?.text {
        guard let bytes = Int64(size), bytes >= 0 else {
          throw .field(name: "size", expected: "a whole number of bytes")
        }
        entry.size = bytes
        entry.version = .dateAndSize(date: nil, size: bytes)
      }
      let digests = try digests
      entry.take(digests)
      // Another state may have the same size.
      return (entry, !digests.isEmpty)
    }
  }

  /// Places that can be followed, a smaller number first, one without a number last (section
  /// 4.2.16.1); those of the same number as they stand there.
  private var locators: [String] {
    get throws(EntryProblem) {
      let places = file.all("url", in: MetalinkFormat.namespace).enumerated().map { index, url in
        (
          priority: url.attribute("priority").flatMap { Int($0) } ?? .max, index: index,
          text: url.text
        )
      }
      .sorted { ($0.priority, $0.index) < ($1.priority, $1.index) }
      return try LocatorResolver(body).addresses(places.map(\.text))
    }
  }

  /// By the algorithms that are known; one by another name says nothing (section 4.2.4).
  private var digests: [ContentDigest] {
    get throws(EntryProblem) {
      let names: [String: ContentDigest.Algorithm] = [
        "md5": .md5, "sha-1": .sha1, "sha-256": .sha256, "sha-512": .sha512,
      ]
      var digests: [ContentDigest] = []
      for hash in file.all("hash", in: MetalinkFormat.namespace) {
        guard let algorithm = hash.attribute("type").flatMap({ names[$0.lowercased()] }) else {
          continue
        }
        guard
          let digest = ContentDigest(algorithm, hexadecimal: hash.text.utf8)
        else {
          throw .field(
            name: "hash", expected: "\(2 * algorithm.byteCount) hexadecimal digits")
        }
        digests.append(digest)
      }
      return digests
    }
  }
}
