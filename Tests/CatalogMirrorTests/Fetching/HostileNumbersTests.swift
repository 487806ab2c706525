import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// Numbers in a catalog that fit their type and nothing else.
final class HostileNumbersTests: RunTestCase {
  func testTheLargestSizesFailTheirItemsAndNothingElse() async throws {
    try serve([Thing("good", "good")])
    let good = try Thing("good", "good").line()
    try serveCatalog(
      """
      {"catalog":1,"complete":true}
      {"key":"a","size":9223372036854775807}
      {"key":"b","size":9223372036854775807,"preview":{"url":"p","size":9223372036854775807}}
      \(good)

      """)
    try await assertEqual(mirror().plan().bytes, .max)
    try await assertEqual(Set(sync(ending: .someFailed).failures.map(\.key)), ["a", "b"])
    XCTAssertEqual(try tree(), ["good": "good"])
  }

  func testADateThatNoFileHasAdoptsNothing() async throws {
    try serve([
      Thing("a", "alpha") {
        $0.modified = "9999-12-31T23:59:59Z"; $0.hasDigest = false
      }
    ])
    try makeFolder(at: folder)
    try place("other", at: "a")
    try await assertEqual(sync { $0.adoption = .sizeAndDate }.adopted, 0)
    XCTAssertEqual(try tree(), ["a": "alpha"])
  }
}
