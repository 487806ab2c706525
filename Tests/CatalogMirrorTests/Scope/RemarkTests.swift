import Foundation
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// What is said of a listing to who asked for a part of it.
final class RemarkTests: XCTestCase {
  private func remarks(
    of entries: [CatalogEntry], _ change: (inout Scope) -> Void = { _ in }, last: [String] = [],
    areChanges: Bool = false
  ) throws -> [String] {
    var scope = Scope()
    change(&scope)
    var options = ListingAssembly.Options()
    options.scope = ScopeBoundary(scope, at: 1_000_000)
    options.last = try last.map { try KeyPattern($0) }
    var collector = RemarkCollector(options)
    var listing = Listing(format: .catalog)
    if areChanges { listing.completeness = .changes(removed: []) }
    for entry in entries {
      collector.add(.entry(entry, settled: true))
      if let reason = options.scope.reason(toLeaveOut: entry) {
        listing.leftOut.append(LeftOut(key: entry.key, reason: reason))
      } else {
        listing.entries = UsableEntries(listing.entries + [try PlaceableEntry(entry)])
      }
    }
    return collector.remarks(of: listing).map(\.description)
  }

  private func entry(
    _ key: String, _ version: ItemVersion = .unknown, modified: Double? = nil
  ) -> CatalogEntry {
    var entry = CatalogEntry(key: CatalogKey(key), locators: ["https://h/\(key)"], version: version)
    entry.modified = modified
    return entry
  }

  func testAnAgeThatNobodyKnowsIsTold() throws {
    let zoneless = ItemVersion.dateAndSize(date: "01-Jan-2026 10:00", size: 1)
    let aged = { (scope: inout Scope) in scope.maximumAge = .seconds(60) }
    XCTAssertEqual(
      try remarks(of: [entry("a", zoneless), entry("b", zoneless)], aged),
      ["the limit of age leaves out none of 2 items: the listing's dates have no time zone"])
    XCTAssertEqual(
      try remarks(of: [entry("a", .revision("1"))], aged),
      ["the limit of age leaves out none of 1 item: the listing doesn't date them"])
    XCTAssertEqual(try remarks(of: [entry("a", modified: 999_999)], aged), [])
    XCTAssertEqual(try remarks(of: [entry("a")]), [], "nobody asked")
  }

  func testFiltersThatLeaveNothingAreTold() throws {
    let nothing = { (scope: inout Scope) in scope.maximumSize = 1 }
    var large = entry("a")
    large.size = 2
    XCTAssertEqual(
      try remarks(of: [large], nothing), ["the filters leave out all of the 1 item listed"])
    XCTAssertEqual(try remarks(of: [large, entry("b")], nothing), [])
    XCTAssertEqual(try remarks(of: [large], nothing, areChanges: true), [])
  }

  func testPatternsThatFitNothingAreTold() throws {
    let rules = [ScopeRule.include(try KeyPattern("*.iso")), .exclude(try KeyPattern("*.tmp"))]
    let iso = { (scope: inout Scope) in scope.rules = rules }
    let told = try remarks(of: [entry("dists/a")], iso, last: ["dists/**", "dist/**"])
    XCTAssertEqual(
      told,
      [
        "no item fits the pattern '*.iso', which is to include some",
        "no item fits the pattern 'dist/**' of what is to come last",
      ])
    XCTAssertEqual(try remarks(of: [entry("b/x.iso")], iso), [], "what excludes may fit nothing")
  }
}
