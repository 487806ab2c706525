/// Gathers what is worth a remark in the entries of a listing, left out or not.
struct RemarkCollector {
  private let asksForAge: Bool
  private let isVouchedFor: Bool
  private var undated = 0
  private var zoneless = 0
  private var notes = PageNotes()
  private var included: [KeyPattern]
  private var last: [KeyPattern]

  init(_ options: ListingAssembly.Options) {
    let scope = options.scope.scope
    asksForAge = scope.maximumAge != nil
    isVouchedFor = options.isVouchedFor
    included = scope.rules.filter(\.includes).map(\.pattern)
    last = options.last
  }

  mutating func add(_ entry: ListedEntry) {
    // Of a million entries, most often nothing is asked.
    if !included.isEmpty || !last.isEmpty, let key = entry.key {
      included.removeAll { [$0].fit(key) }
      last.removeAll { [$0].fit(key) }
    }
    guard asksForAge, case .entry(let entry, _) = entry, entry.modified == nil else { return }
    undated += 1
    if entry.version.isDate { zoneless += 1 }
  }

  mutating func add(_ page: CatalogPage) { notes.add(page.notes) }

  private static let feeds: Set<CatalogFormatName> = [.rss, .atom]

  /// What there is to say of a listing whose entries were all taken.
  func remarks(of listing: Listing) -> [ListingRemark] {
    var remarks: [ListingRemark] = []
    // A list of changes that are all left out says nothing of what the source has.
    let areChanges = if case .changes = listing.completeness { true } else { false }
    if !listing.leftOut.isEmpty, listing.count == 0, !areChanges {
      remarks.append(.allLeftOut(items: listing.leftOut.count { !$0.isDirectory }))
    } else if undated > 0 {
      remarks.append(zoneless == undated ? .zoneless(count: undated) : .undated(count: undated))
    }
    remarks += notes.told
    if isVouchedFor, areChanges, Self.feeds.contains(listing.format) { remarks.append(.onlyNews) }
    // Of lines that needn't be read, nobody knows what they would fit.
    guard listing.known.isEmpty else { return remarks }
    return remarks + included.map(ListingRemark.noneIncluded) + last.map(ListingRemark.noneLast)
  }
}
