import XCTest

@testable import CatalogMirror

/// Catalogs that list a key twice where a filter leaves one or both out: the whole is an error.
final class ListedTwiceTests: RunTestCase {
  private let (alpha, beta, gamma) = (
    Thing("a.txt", "alpha"), Thing("b.iso", "beta"), Thing("c.txt", "gamma")
  )

  /// A catalog was put together wrongly: it lists `b.iso` twice and has lost `c.txt`. A mirror that
  /// excludes images trusts it no more than one that takes all, and keeps `c.txt`.
  func testNothingIsRemovedOnTheWordOfACatalogThatListsTwiceWhatIsExcluded() async throws {
    let scope = try scope("- *.iso")
    for isHeld in [false, true] {
      try await syncWell(to: [alpha, beta, gamma]) { if !isHeld { $0.scope = scope } }
      // The second in place of a new image is a line that the index doesn't know.
      for twin in [beta, Thing("b.iso", "another")] {
        try serve([alpha, beta, twin])
        try await assertRefused("b.iso") { $0.scope = scope }
        try await assertRefused("b.iso") { ($0.scope, $0.removesExcluded) = (scope, true) }
      }
    }
  }

  /// A catalog lists `a.txt` as it is held, and a second time larger than this mirror takes, while
  /// what is too large is to go: the file that it lists and that fits would be removed.
  func testWhatIsListedInsideAndOnceMoreOutsideIsNotRemoved() async throws {
    try await syncWell(to: [alpha, beta, gamma])
    for twins in [[alpha, Thing("a.txt", "alphabet")], [Thing("a.txt", "alphabet"), alpha]] {
      try serve(twins + [beta, gamma])
      for removes in [true, false] {
        try await assertRefused("a.txt") { options in
          options.scope.maximumSize = 5
          options.removesExcluded = removes
        }
      }
    }
  }

  private func assertRefused(
    _ key: String, line: UInt = #line, _ change: (inout MirrorOptions) -> Void
  ) async throws {
    let before = try tree()
    let report = try await sync {
      $0.maximumRemoval = .all
      change(&$0)
    }
    XCTAssertEqual(report.outcome, .failed, line: line)
    let sentences = report.failures.map(\.sentence).joined()
    XCTAssert(sentences.contains("lists the key '\(key)' twice"), sentences, line: line)
    XCTAssertEqual(try tree(), before, line: line)
    XCTAssertEqual(try movedAway(to: "quarantine"), [:], line: line)
  }
}
