import SyncText

/// What a scope means for items that are held.
struct HeldScope: Sendable {
  var boundary = ScopeBoundary.none
  /// Whether what is held and outside is removed like what vanished. Default: it stays.
  var removesOutside = false

  /// Whether a directory may go that isn't listed: one that is outside wasn't asked for.
  func lets(directory: [UInt8]) -> Bool {
    removesOutside || boundary.reason(toLeaveOutDirectory: directory) == nil
  }

  /// Tells the items of an index that are outside.
  struct Sieve {
    private let boundary: ScopeBoundary
    /// Entries that are listed in a state that is outside: what is held of them stays, whatever
    /// state that is of.
    private let leftOut: Set<CatalogKey>

    init(_ scope: HeldScope, _ listing: Listing) {
      boundary = scope.boundary
      leftOut = Set(listing.leftOut.lazy.filter(\.dependsOnState).map(\.key))
    }

    /// Whether an item is outside, by its key, by what is listed of it, or by what is held of it.
    func holds(_ key: CatalogKey, entry: () throws -> CatalogEntry) rethrows -> Bool {
      if boundary.isEverywhere { return false }
      if boundary.reason(toLeaveOut: key) != nil || leftOut.contains(key) { return true }
      guard boundary.asksForMoreThanKeys else { return false }
      return boundary.reason(toLeaveOut: try entry()) != nil
    }
  }
}
