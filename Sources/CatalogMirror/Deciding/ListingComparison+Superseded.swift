import SyncEngine

extension ListingComparison {
  /// Who has read a repository's `Release` a moment ago still asks for what it names by digests: of
  /// those that vanished, only what had vanished before goes, and only as far as the limit isn't
  /// reached by it. Each state of a repository renews them all; that is no reason to refuse it.
  mutating func keepSuperseded(but before: Set<CatalogKey>, within limit: RemovalLimit) {
    guard listing.format == .debian, let vanished else { return }
    var superseded = vanished.filter(DebianFormat.isNamedByDigest)
    var rest = vanished.subtracting(superseded)
    for key in superseded.intersection(before).sorted() {
      guard limit.allows(removals: rest.count + 1, of: count) else { break }
      superseded.remove(key)
      rest.insert(key)
    }
    (self.superseded, self.vanished) = (superseded, rest)
  }
}
