import SyncText

struct IndexedFile {
  private var filename: String?
  private var url: String?
  private var sha256: SHA256Digest?
  /// Whether a SHA-256 is given that is none.
  private var hasBadDigest = false
  private var otherDigest: String?
  private var size: Int64?
  private var date: String?
  /// Why it was yanked; empty where no reason is given.
  private var yanked: String?
  private var needs: String?

  init(json file: JSONValue) {
    filename = file["filename"]?.string
    url = file["url"]?.string
    for hash in file["hashes"]?.members ?? [] {
      let algorithm = String(decoding: hash.name, as: UTF8.self)
      take(digest: hash.value.string ?? "", of: algorithm)
    }
    size = file["size"]?.integer.flatMap { $0 < 0 ? nil : $0 }
    date = file["upload-time"]?.string
    if let reason = file["yanked"] {
      yanked = reason.string ?? (reason.bool == true ? "" : nil)
    }
    needs = file["requires-python"]?.string
  }

  init(html anchor: IndexAnchor) {
    filename = anchor.text
    url = anchor.href
    let fragment = url?.split(separator: "#", maxSplits: 1).dropFirst().first ?? ""
    for part in fragment.split(separator: "&") {
      let parts = part.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { take(digest: String(parts[1]), of: String(parts[0])) }
    }
    yanked = anchor.yanked
    needs = anchor.needs
  }

  private mutating func take(digest: String, of algorithm: String) {
    if algorithm == "sha256" {
      sha256 = SHA256Digest(hexadecimal: digest)
      hasBadDigest = sha256 == nil
    } else if !digest.isEmpty {
      otherDigest = "\(algorithm)=\(digest)"
    }
  }

  /// Takes it as the entry at this position.
  ///
  /// - Parameter base: What its address starts from; `nil` for that of the page.
  func add(
    to page: inout CatalogPage, _ body: CatalogBody, base: URLReference? = nil, at position: Int
  ) {
    guard !Task.isCancelled else { return }
    if yanked != nil { page.notes.withdrawn += 1 }
    page.take(listed(body, base ?? body.url, position), at: position)
  }

  private func listed(
    _ body: CatalogBody, _ base: URLReference, _ position: Int
  ) -> ListedEntry {
    guard let filename, !filename.isEmpty, !filename.contains("/") else {
      return .unusable(UnusableEntry(position: position, key: nil, problem: .noKey))
    }
    let key = CatalogKey(filename)
    return ListedEntry(key, at: position) { () throws(EntryProblem) in
      let entry = try entry(key, LocatorResolver(base: base, catalog: body.url))
      let date = entry.modified.map { ListingDate(utc: $0) }
      return (entry, entry.version.isSettled(date, listedAt: body.date))
    }
  }

  private func entry(
    _ key: CatalogKey, _ resolver: LocatorResolver
  ) throws(EntryProblem) -> CatalogEntry {
    guard !hasBadDigest else {
      throw .field(name: "sha256", expected: "64 hexadecimal digits")
    }
    guard let url else { throw .locator(.notAURL) }
    var facts = VersionFacts()
    (facts.digest, facts.revision, facts.date, facts.size) = (sha256, otherDigest, date, size)
    var entry = CatalogEntry(
      key: key, locators: [try resolver.address(url)], version: facts.version)
    (entry.size, entry.sha256) = (size, sha256)
    entry.modified = date.flatMap(DateText.seconds)
    if let yanked {
      entry.title = "\(key) (yanked\(yanked.isEmpty ? "" : ": " + yanked))"
    }
    if yanked != nil || needs != nil {
      let extra = JSONWriter.object { members in
        if let yanked { members.add(JSONText("yanked"), JSONText(yanked)) }
        if let needs { members.add(JSONText("requires-python"), JSONText(needs)) }
      }
      entry.extra = String(decoding: extra, as: UTF8.self)
    }
    return entry
  }
}

/// A link of a page in HTML: to a file, or to a project's page.
struct IndexAnchor {
  let text: String
  let href: String?
  /// Why a file was yanked; empty where no reason is given.
  let yanked: String?
  /// The versions of Python that a file needs.
  let needs: String?

  init(_ anchor: HTMLNode) {
    text = anchor.text.withoutOuterWhitespace
    href = anchor.attribute(.href)
    yanked = anchor.attribute(.yanked)
    needs = anchor.attribute(.python)
  }

  var path: String? { href.flatMap { URLReference($0) }?.path }
}

/// The keys of the files of one item, in the order in which it lists them.
struct FileNumbering {
  private let name: String
  private var counts: [String: Int] = [:]

  init(_ name: String) {
    self.name = name
  }

  /// The next file's key: the name with its extension; further ones of the same extension are
  /// numbered before it, from 2.
  mutating func key(_ fileExtension: String) -> CatalogKey {
    let count = counts[fileExtension, default: 0] + 1
    counts[fileExtension] = count
    return CatalogKey(count == 1 ? name + fileExtension : "\(name).\(count)\(fileExtension)")
  }

  /// How many files of an item and an extension are named where nobody says how many it had.
  static let most = 9

  /// The keys that the files of an item of that name may have had.
  static func keys(of name: String) -> [CatalogKey] {
    ([""] + MediaExtension.all.sorted().map { "." + $0 }).flatMap { fileExtension in
      var numbering = FileNumbering(name)
      return (0..<most).map { _ in numbering.key(fileExtension) }
    }
  }
}
