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

/// What a list of changes says is gone.
struct RemovedKeys {
  private let keys: Set<CatalogKey>

  init?(_ completeness: Listing.Completeness) {
    guard case .changes(let removed) = completeness else { return nil }
    keys = removed
  }

  /// Whether an item is gone, or a directory that it lies below.
  func hold(_ key: CatalogKey) -> Bool {
    guard !keys.isEmpty else { return false }
    if keys.contains(key) { return true }
    return key.bytes.indices.contains { index in
      key.bytes[index] == UInt8(ascii: "/")
        && keys.contains(CatalogKey(bytes: Array(key.bytes[...index])))
    }
  }
}

/// Where a listing says nothing of what lies below: directories that can't be read, and what can't
/// be used, as it may be a directory of which nobody knows that (a link that leads nowhere just
/// now, a member that the server doesn't tell of).
struct UnseenPrefixes {
  private let prefixes: Set<[UInt8]>

  init(_ listing: Listing) {
    let unusable = listing.unusable.filter { !$0.isListedAsFile }.compactMap(\.key)
      .map { $0.bytes + [UInt8(ascii: "/")] }
    prefixes = Set(listing.unreadable.map(\.prefix) + unusable)
  }

  /// Directories that only list again what is listed above them.
  init(repeatedIn listing: Listing) {
    prefixes = Set(listing.unreadable.lazy.filter(\.isRepetition).map(\.prefix))
  }

  func hold(_ key: CatalogKey) -> Bool {
    guard !prefixes.isEmpty else { return false }
    return key.bytes.indices.contains { index in
      key.bytes[index] == UInt8(ascii: "/") && prefixes.contains(Array(key.bytes[...index]))
    }
  }
}

extension UnusableEntry {
  /// Whether the listing says that it is a file, which can only not stand beside another one.
  fileprivate var isListedAsFile: Bool {
    if case .collision = problem { true } else { false }
  }
}

/// What one walk through all items of an index found, before anybody knew what is listed.
package struct ItemSurvey: Hashable, Sendable {
  var count = 0
  /// Whether one of them would have to be a directory for another.
  var nests = false
  var lacksContent = false
  var lacksPreview = false

  /// What a further walk through the items still has to find out.
  var openQuestion: ItemWalk.Question { lacksContent || lacksPreview ? .lacks : .keys }

  /// Whether a listing is of all items and of nothing else, each is held as it is listed, and they
  /// can stand beside each other: then nothing is to be done.
  func isAll(of listing: Listing, _ wants: ItemNeed.Wants) -> Bool {
    guard listing.entries.isEmpty, listing.unusable.isEmpty, listing.leftOut.isEmpty,
      listing.known.count == count, !nests, !(wants.contents && lacksContent),
      !(wants.previews && lacksPreview)
    else { return false }
    // None twice, so all.
    var isNamed = Array(repeating: false, count: count)
    for line in listing.known {
      let place = Int(line.place)
      guard place < count, !isNamed[place] else { return false }
      isNamed[place] = true
    }
    return true
  }
}

extension IndexAccess {
  /// Looks at every item, without holding any, after ``knownLines()`` has looked at their lines.
  /// - Throws: `.damaged` for an item that isn't as it was recorded; `CancellationError`.
  package func survey() throws -> ItemSurvey {
    var survey = ItemSurvey()
    var nesting = NestingCheck()
    try walkItems(ItemWalk(question: .allButLines)) { key, lacks, _ in
      if survey.count.isMultiple(of: 1_024) { try Task.checkCancellation() }
      survey.count += 1
      if lacks.contains(.lacksContent) { survey.lacksContent = true }
      if lacks.contains(.lacksPreview) { survey.lacksPreview = true }
      if !survey.nests, nesting.isBelowAnother(key) { survey.nests = true }
    }
    return survey
  }
}
