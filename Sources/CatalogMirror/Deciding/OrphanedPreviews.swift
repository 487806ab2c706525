/// The preview files that the index has let go of in a run: they are removed when it ends, unless
/// the same name was taken again.
struct OrphanedPreviews: Equatable, Sendable {
  /// Files that belong to no item any more.
  private(set) var names: Set<String> = []

  /// The index no longer names a file.
  mutating func release(_ name: String?) {
    if let name { names.insert(name) }
  }

  /// The index names a file.
  mutating func take(_ name: String) {
    names.remove(name)
  }
}

extension CatalogEntry.Preview {
  /// What a held preview is told apart by: its version; where the catalog gives none, its URL.
  var ownVersion: ItemVersion {
    version == .unknown ? .revision("url \(locator)") : version
  }
}
