/// What of a pass comes last, and whether it may come at all.
///
/// A package repository's index names files: it is placed when they are all there, and not if one
/// of them failed.
struct LastItems: Equatable, Sendable {
  enum Verdict: Equatable, Sendable {
    /// Everything else went well: they are placed.
    case place
    /// Something else failed: they aren't, and that is told.
    case holdBack
    /// The pass was cut short, and says why by itself.
    case drop
  }

  /// What fits one of these comes last; of several, in their order.
  private(set) var patterns: [KeyPattern]
  /// How many items were to be fetched, those that come last among them.
  private var expected = 0
  private var succeeded = 0
  private var hasFailed = false
  /// Whether some directory can't be listed, so that nobody knows whether all is there.
  private var isPartlyUnknown = false
  private var hasHeldBack = false

  init(_ patterns: [KeyPattern] = []) {
    self.patterns = patterns
  }

  var isNone: Bool { patterns.isEmpty }

  func hold(_ key: CatalogKey) -> Bool { !isNone && patterns.fit(key) }

  /// The place of an item among those that come last: that of the last pattern that it fits.
  func rank(of key: CatalogKey) -> Int {
    patterns.lastIndex { [$0].fit(key) } ?? 0
  }

  /// The listing itself says what comes last. What a person says counts more.
  mutating func add(_ listed: [KeyPattern]) { patterns = listed + patterns }

  mutating func expect(_ count: Int) { expected = count }

  mutating func succeed() { succeeded += 1 }

  /// An item couldn't be had, and that is no reason against what comes last.
  mutating func passOver() { succeeded += 1 }

  mutating func fail() { hasFailed = true }

  mutating func lackListing() { isPartlyUnknown = true }

  mutating func heldBack() { hasHeldBack = true }

  /// What is to be done once everything else is in its place.
  var verdict: Verdict {
    if hasFailed || isPartlyUnknown { return .holdBack }
    return succeeded < expected ? .drop : .place
  }

  /// Whether what vanished may be removed: an index that wasn't replaced may still name it, and one
  /// that can't be listed wasn't.
  var allowRemoval: Bool { isNone || !hasFailed && !hasHeldBack && !isPartlyUnknown }
}
