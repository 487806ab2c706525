import Foundation
import TestSupport
import XCTest

/// A publisher touches files and changes none of their bytes, or puts older ones back, while their
/// dates are too young to prove anything.
final class TouchedFilesTests: MirrorTestCase {
  private let texts = ["a.txt": "alpha", "b.txt": "gamma"]
  /// Within the minute that a listing tells, most often, and old enough for a validator.
  private var young: Date { Date(timeIntervalSinceNow: -5) }

  private func assertFetchedAgain(_ url: String, line: UInt = #line) throws {
    let plan = try mirror("plan", url, copy.path)
    XCTAssertTrue(plan.printed.contains("only its date is another one"), "\(plan)", line: line)
    XCTAssertFalse(plan.printed.contains("so young"), "\(plan)", line: line)
    let outcome = try sync(url)
    assertEnd(outcome, 0, line: line)
    XCTAssertTrue(
      outcome.printed.hasPrefix("done: 2 fetched again with the same bytes, 10 B"), "\(outcome)",
      line: line)
    let status = try mirror("status", copy.path).printed
    XCTAssertTrue(status.contains("done: 2 fetched again with the same bytes"), status, line: line)
  }

  func testWhatWasTouchedIsFetchedAndToldToBeTheSame() throws {
    for listing in NginxServer.Listing.allCases {
      for first in [Self.longAgo, young] {
        try? FileManager.default.removeItem(at: copy)
        try publish(texts, dated: first)
        let server = try serve(listing: listing)
        assertEnd(try sync(server.url), 0)
        try publish(texts, dated: Self.longAgo + 86_400)
        try assertFetchedAgain(server.url)
        XCTAssertEqual(try copied(), texts)
      }
    }
  }

  /// Its server says of anything older that it wasn't modified since.
  func testWhatIsPutBackAfterAYoungFileIsFetched() throws {
    for listing in NginxServer.Listing.allCases {
      try? FileManager.default.removeItem(at: copy)
      try publish(texts, dated: young)
      var options = NginxServer.Options(listing: listing)
      options.common = ["etag off;", "if_modified_since before;"]
      let server = try serve(nil, options)
      assertEnd(try sync(server.url), 0)
      try publish(["a.txt": "ALPHA"])
      try publish(["b.txt": "longer"])
      assertEnd(try sync(server.url), 0)
      XCTAssertEqual(try copied(), ["a.txt": "ALPHA", "b.txt": "longer"], "\(listing)")
    }
  }

  /// The list of Python's server tells neither size nor date.
  func testWhatIsPutBackIsFetchedWhereOnlyTheServersAnswerHasADate() throws {
    try publish(texts, dated: Self.longAgo + 86_400)
    let server = try serve(by: .python)
    assertEnd(try sync(server.url), 0)
    let unchanged = try sync(server.url)
    assertEnd(unchanged, 0)
    XCTAssertTrue(unchanged.printed.hasPrefix("unchanged"), "\(unchanged)")
    try publish(["a.txt": "ALPHA"], dated: Self.longAgo)
    let changed = try sync(server.url)
    assertEnd(changed, 0)
    XCTAssertTrue(changed.printed.hasPrefix("done: 1 updated, 5 B"), "\(changed)")
    XCTAssertEqual(try copied()["a.txt"], "ALPHA")
    let doctor = try mirror("doctor", server.url).printed
    XCTAssertTrue(
      doctor.contains("has a date, by which HEAD tells whether it has changed."), doctor)
  }
}
