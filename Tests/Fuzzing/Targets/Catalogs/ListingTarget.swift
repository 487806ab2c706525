import CatalogMirror
import SyncText

/// Pages put together to a listing: the input is a whole site, see ``ScriptedSite``.
enum ListingTarget {
  static func check(_ input: [UInt8]) throws {
    guard let site = ScriptedSite(input) else { return }
    let first = try site.walk()
    try checkOrder(of: site, first)
    guard case .finish(let listing) = first else { return }
    let check = ListingCheck(catalog: site.root, limits: DecoderTarget.limits)
    try check.check(listing)
    try checkCompleteness(of: site, listing)
    try checkSecondPass(of: site, listing)
    for url in listing.pages.map(\.url) where url != site.root.text {
      guard case .finish(let less) = try site.without(url).walk() else { continue }
      let isTold = less.completeness != .complete || !less.unreadable.isEmpty
      try require(isTold, "complete without the page \(url)")
    }
  }

  /// The order in which answers come changes nothing.
  private static func checkOrder(of site: ScriptedSite, _ first: ListingAssembly.Action) throws {
    let other = try site.walk(lastFirst: true)
    if case .finish = first {
      try require(other == first, "answers in another order give another listing")
    } else if case .finish = other {
      throw Violation("answers in another order give a listing at all")
    }
  }

  private static func checkCompleteness(of site: ScriptedSite, _ listing: Listing) throws {
    guard listing.completeness == .complete else { return }
    for record in listing.pages where !record.isUnreadable {
      try require(
        site.pages[record.url]?.isFramed ?? false, "complete, and a page may have been cut")
    }
  }

  /// The same once more is unchanged where it can be proved; one byte more never is.
  private static func checkSecondPass(of site: ScriptedSite, _ listing: Listing) throws {
    guard listing.completeness == .complete else { return }
    let recorded = RecordedListing(pages: listing.pages, revision: listing.header.revision)
    let again = try site.walk(recorded: recorded)
    guard case .finish(let second) = again else {
      throw Violation("what was complete fails when it is read again: \(again)")
    }
    let isSettled = listing.pages.allSatisfy(\.isSettled)
    try require(second.isUnchanged == isSettled, "unchanged, or changed, without a reason")
    try require(
      second.isUnchanged || second.entries == listing.entries, "read again, it has other entries")
    for url in listing.pages.filter({ !$0.isUnreadable }).map(\.url) {
      guard case .finish(let third) = try site.changing(url).walk(recorded: recorded) else {
        continue
      }
      try require(!third.isUnchanged, "unchanged, and \(url) has another body")
    }
  }
}
