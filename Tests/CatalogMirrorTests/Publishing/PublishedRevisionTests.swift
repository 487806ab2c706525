import Foundation
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing
@testable import SyncText

/// Every change of a catalog is a new revision, and they only grow.
final class PublishedRevisionTests: PublishingTestCase {
  /// Publishes at a time of the publisher's own clock.
  private func publish(
    at seconds: Int64, _ change: (inout CatalogWriter.Options) -> Void = { _ in }
  ) throws -> PublishReport {
    var options = CatalogWriter.Options()
    change(&options)
    return try CatalogWriter(folder: folder.path, options: options) { seconds * 1_000_000_000 }
      .write()
  }

  private func revision() throws -> CatalogRevision? {
    try Golden.listing(Golden.body(Array(try text().utf8))).header.revision
  }

  func testItIsTheTimeOrOneMoreWhateverTheClockSays() throws {
    try write("a", "1")
    for (seconds, content, expected) in [
      (1_800_000_000, "1", 1_800_000_000), (1_800_000_009, "2", 1_800_000_009),
      (1_800_000_009, "3", 1_800_000_010), (1_000, "4", 1_800_000_011),
      (-5, "5", 1_800_000_012), (1_900_000_000, "6", 1_900_000_000),
    ] as [(Int64, String, Int64)] {
      try write("a", content)
      XCTAssertTrue(try publish(at: seconds).wasReplaced)
      XCTAssertEqual(try revision(), .ordered(expected))
    }
  }

  /// Two states under one revision are one and the same to whoever follows.
  func testNothingIsPublishedAfterTheGreatestNumber() throws {
    try write("a", "1")
    let catalog = folder.appending(path: "catalog.ndjson")
    let last = #"{"catalog":1,"revision":\#(Int64.max),"count":0,"complete":true}"# + "\n"
    try Data(last.utf8).write(to: catalog)
    XCTAssertThrowsError(try publish(at: 1_800_000_000)) { error in
      XCTAssertEqual(error as? PublishError, .noRevisionLeft("catalog.ndjson"))
    }
    XCTAssertEqual(try String(contentsOf: catalog, encoding: .utf8), last)
    try Data(last.replacing("5807", with: "5806").utf8).write(to: catalog)
    XCTAssertTrue(try publish(at: 1_800_000_000).wasReplaced)
    XCTAssertEqual(try revision(), .ordered(.max))
  }

  /// Mirrors held another title under the same revision for an error.
  func testAnotherTitleOrBaseIsAnotherRevision() throws {
    try write("a", "1")
    _ = try publish(at: 1_800_000_000)
    XCTAssertTrue(try publish(at: 1_800_000_000) { $0.title = "One" }.wasReplaced)
    XCTAssertEqual(try revision(), .ordered(1_800_000_001))
    XCTAssertTrue(try publish(at: 1_800_000_000) { $0.base = "https://h/" }.wasReplaced)
    XCTAssertEqual(try revision(), .ordered(1_800_000_002))
  }

  func testWhereNothingElseChangedTheFileIsNotTouched() throws {
    try write("a", "1")
    _ = try publish(at: 1_800_000_000)
    let before = try FileManager.default.attributesOfItem(
      atPath: folder.appending(path: "catalog.ndjson").path)
    XCTAssertFalse(try publish(at: 1_900_000_000).wasReplaced)
    let after = try FileManager.default.attributesOfItem(
      atPath: folder.appending(path: "catalog.ndjson").path)
    XCTAssertEqual(
      before[.systemFileNumber] as? Int, after[.systemFileNumber] as? Int)
    XCTAssertEqual(try revision(), .ordered(1_800_000_000))
  }

  func testTheLastNumberIsReadFromACatalogOfAnyForm() throws {
    try write("a", "1")
    for (old, expected) in [
      ("{\"catalog\":1,\"revision\":\"9f2c\"}\n", 1_000),
      ("{\n \"catalog\": 1,\n \"items\": [],\n \"revision\": 5000}\n", 5_001),
      ("{\"catalog\":1,\"revision\":5000}\n{\"key\":\"a\",\"revision\":9000}\n", 5_001),
      ("{\"catalog\":1,\"revision\":5000,\"revision\":7000}\n", 1_000),
      ("{\"catalog\":1", 1_000), ("{\"catalog\":1,\"revision\":5e99}\n", 1_000), ("", 1_000),
    ] as [(String, Int64)] {
      try write("catalog.ndjson", old)
      XCTAssertTrue(try publish(at: 1_000).wasReplaced)
      XCTAssertEqual(try revision(), .ordered(expected), old)
    }
  }
}
