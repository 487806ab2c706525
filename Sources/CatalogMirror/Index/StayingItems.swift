import SyncText

/// Items that are held and don't go in this run, where others would have to be placed. What was
/// found of a directory is remembered.
struct StayingItems {
  private let vanished: Set<CatalogKey>
  private var known: [CatalogKey: CatalogKey?] = [:]

  /// - Parameter vanished: The items that go.
  init(vanished: Set<CatalogKey>) {
    self.vanished = vanished
  }

  /// The item that stands where a directory above a place has to be, or the first one below the
  /// place itself; `nil` if there is none.
  mutating func inTheWay(of place: CatalogKey, _ index: some IndexAccess) throws -> CatalogKey? {
    try above(place, index) ?? below(place, index)
  }

  private mutating func above(
    _ place: CatalogKey, _ index: some IndexAccess
  ) throws -> CatalogKey? {
    guard let slash = place.bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let parent = CatalogKey(bytes: Array(place.bytes[..<slash]))
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
    try !vanished.contains(key) && index.item(key)?.content != nil
  }
}
