import Foundation
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
    let plan = try await mirror().plan()
    XCTAssertEqual(plan.bytes, .max)
    let report = try await sync()
    XCTAssertEqual(report.outcome, .someFailed)
    XCTAssertEqual(Set(report.failures.map(\.key)), ["a", "b"])
    XCTAssertEqual(try tree(), ["good": "good"])
  }

  func testADateThatNoFileHasAdoptsNothing() async throws {
    try serve([
      Thing("a", "alpha") {
        $0.modified = "9999-12-31T23:59:59Z"; $0.hasDigest = false
      }
    ])
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try place("other", at: "a")
    let report = try await sync { $0.adoption = .sizeAndDate }
    XCTAssertEqual(report.adopted, 0)
    XCTAssertEqual(try tree(), ["a": "alpha"])
  }
}
