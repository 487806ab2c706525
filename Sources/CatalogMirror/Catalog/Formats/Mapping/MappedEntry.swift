import SyncText

/// Reads items by a mapping. An item that can't be used spoils no other.
struct MappedEntry {
  private let mapping: JSONMapping
  private let catalog: URLReference
  private let resolver: LocatorResolver
  private let listedAt: Double?

  init(_ mapping: JSONMapping, _ body: CatalogBody) {
    self.mapping = mapping
    catalog = body.url
    resolver = LocatorResolver(body)
    listedAt = body.date
  }

  /// Reads an item; `nil` is one that isn't there.
  func read(_ place: MappedPlace?, position: Int) -> ListedEntry {
    guard let place else {
      let path = mapping.items.text
      return keyless(position, .mapped(field: "list of items", path: path, expected: nil))
    }
    guard let bytes = mapping.key.bytes(at: place, of: catalog) else {
      return keyless(position, missing("key", mapping.key, place))
    }
    let key = CatalogKey(bytes: bytes)
    return ListedEntry(key, at: position) { () throws(EntryProblem) in
      let entry = try entry(place, key)
      let date = entry.modified.map { ListingDate(utc: $0) }
      return (entry, entry.version.isSettled(date, listedAt: listedAt))
    }
  }

  private func keyless(_ position: Int, _ problem: EntryProblem) -> ListedEntry {
    .unusable(UnusableEntry(position: position, key: nil, problem: problem))
  }

  private func missing(
    _ field: String, _ value: MappedValue, _ place: MappedPlace
  ) -> EntryProblem {
    let path = value.gap(at: place, of: catalog)?.text ?? value.text
    return .mapped(field: field, path: path, expected: nil)
  }

  private func wrong(_ field: MappedField, expected: String) -> EntryProblem {
    let path = mapping.fields[field]?.text ?? ""
    return .mapped(field: field.rawValue, path: path, expected: expected)
  }

  private func entry(_ place: MappedPlace, _ key: CatalogKey) throws(EntryProblem) -> CatalogEntry {
    let locator = try locator(place, key)
    var facts = VersionFacts()
    facts.size = try size(.size, place)
    facts.digest = try digest(.sha256, place)
    facts.revision = text(.version, place)
    facts.date = text(.modified, place)
    var entry = CatalogEntry(key: key, locators: [locator], version: facts.version)
    entry.size = facts.size
    entry.sha256 = facts.digest
    entry.modified = facts.date.flatMap(DateText.seconds)
    entry.title = text(.title, place)
    entry.order = try order(place)
    entry.preview = try preview(place)
    return entry
  }

  private func locator(_ place: MappedPlace, _ key: CatalogKey) throws(EntryProblem) -> String {
    guard let mapped = mapping.fields[.url] else {
      return try resolver.address(ofPath: key.bytes)
    }
    guard let text = mapped.text(at: place, of: catalog, isAddress: true) else {
      throw missing("url", mapped, place)
    }
    return try resolver.address(text)
  }

  private func preview(_ place: MappedPlace) throws(EntryProblem) -> CatalogEntry.Preview? {
    guard let mapped = mapping.fields[.previewURL],
      let text = mapped.text(at: place, of: catalog, isAddress: true)
    else { return nil }
    var facts = VersionFacts()
    facts.size = try size(.previewSize, place)
    facts.digest = try digest(.previewDigest, place)
    facts.revision = self.text(.previewVersion, place)
    var preview = CatalogEntry.Preview(locator: try resolver.address(text), version: facts.version)
    preview.size = facts.size
    preview.sha256 = facts.digest
    return preview
  }

  private func text(_ field: MappedField, _ place: MappedPlace) -> String? {
    mapping.fields[field]?.text(at: place, of: catalog)
  }

  private func size(_ field: MappedField, _ place: MappedPlace) throws(EntryProblem) -> Int64? {
    guard let text = text(field, place) else { return nil }
    guard let size = Int64(text), size >= 0 else {
      throw wrong(field, expected: "a whole number of bytes")
    }
    return size
  }

  private func digest(
    _ field: MappedField, _ place: MappedPlace
  ) throws(EntryProblem) -> SHA256Digest? {
    guard let text = text(field, place) else { return nil }
    switch DigestText(text) {
    case .sha256(let digest): return digest
    case .other: return nil
    case .unreadable: throw wrong(field, expected: "64 hexadecimal digits")
    }
  }

  private func order(_ place: MappedPlace) throws(EntryProblem) -> Int {
    guard let text = text(.order, place) else { return 0 }
    guard let order = Int(text) else { throw wrong(.order, expected: "an integer") }
    return order
  }
}
