/// The keys that the pages of a listing have named so far, page by page: where the newest page
/// comes first, what an earlier one says of a key counts.
struct NamedBefore {
  private var earlier: Set<CatalogKey> = []
  private var onThisPage: Set<CatalogKey> = []

  mutating func beginPage() {
    // Into the larger set, and never a copy of it: there may be a hundred thousand pages.
    earlier.formUnion(onThisPage)
    onThisPage.removeAll(keepingCapacity: true)
  }

  /// Takes a key that the page names; says whether an earlier page named it.
  mutating func take(_ key: CatalogKey) -> Bool {
    onThisPage.insert(key)
    return earlier.contains(key)
  }
}
