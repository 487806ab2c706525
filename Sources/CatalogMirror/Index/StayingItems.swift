import SyncText

/// Items that are held and don't go in this run, where others would have to be placed. What was
/// found of a directory is remembered.
struct StayingItems {
  private let leaving: Set<CatalogKey>
  private var known: [CatalogKey: CatalogKey?] = [:]

  /// - Parameter leaving: The items that go, and those whose files aren't what is held any more.
  init(besides leaving: Set<CatalogKey>) {
    self.leaving = leaving
  }

  /// The item that stands where a directory above a place has to be, or the first one below the
  /// place itself; `nil` if there is none.
  mutating func inTheWay(of place: CatalogKey, _ index: some IndexAccess) throws -> CatalogKey? {
    try above(place, index) ?? below(place, index)
  }

  private mutating func above(
    _ place: CatalogKey, _ index: some IndexAccess
  ) throws -> CatalogKey? {
    guard let parent = place.directory else { return nil }
    if let known = known[parent] { return known }
    let found = try stays(parent, index) ? parent : try above(parent, index)
    known[parent] = .some(found)
    return found
  }

  private func below(_ place: CatalogKey, _ index: some IndexAccess) throws -> CatalogKey? {
    let beginning = place.bytes + [UInt8(ascii: "/")]
    var next = try index.firstKey(from: CatalogKey(bytes: beginning))
    while let key = next, key.bytes.starts(with: beginning) {
      if try stays(key, index) { return key }
      next = try index.firstKey(from: CatalogKey(bytes: key.bytes + [0]))
    }
    return nil
  }

  private func stays(_ key: CatalogKey, _ index: some IndexAccess) throws -> Bool {
    try !leaving.contains(key) && index.item(key)?.content != nil
  }
}
