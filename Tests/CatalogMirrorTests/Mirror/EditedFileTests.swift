import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// Files of ours that somebody edited, touched or removed.
final class EditedFileTests: RunTestCase {
  private let things = [Thing("a", "alpha"), Thing("b/c", "gamma")]
  private let texts = ["a": "alpha", "b/c": "gamma"]

  func testAnEditThatAFailedRunFoundIsLeftAloneAndNotCountedAsRemoved() async throws {
    try await syncWell(to: things)
    try place("edited", at: "a")
    try site.answer(Self.root + "a", .status(404))
    try await sync(ending: .someFailed)
    let report = try await syncWell(to: [things[1]])
    XCTAssertEqual([report.removed, report.displaced], [0, 0])
    XCTAssertEqual(try tree(), ["a": "edited", "b/c": "gamma"])
    try await assertEqual(mirror().status().foreign, 1)
  }

  func testATouchedFileIsOnlyHashed() async throws {
    try await syncWell(to: things)
    try setDate(Date(timeIntervalSince1970: 1), of: folder + "/a")
    try await assertEqual(syncWell().repaired, 0)
    XCTAssertEqual(site.asked.count, 1)
    XCTAssertEqual(try movedAway(to: "displaced"), [:])
    try await syncWell(to: [Thing("a", "new"), things[1]])
    XCTAssertEqual(try movedAway(to: "displaced"), [:], "its new state is known as ours")
  }

  func testTrustIndexSkipsTheLook() async throws {
    try await syncWell(to: things)
    try remove("a")
    try await assertTrue(syncWell { $0.trustsIndex = true }.wasUnchanged)
    XCTAssertEqual(site.asked.count, 1)
    XCTAssertFalse(exists("a"))
    try await syncWell()
    XCTAssertEqual(try tree(), texts)
  }

  func testTrustIndexStillDisplacesAnEditedFileInTheWay() async throws {
    try await syncWell(to: things)
    try place("edited", at: "a")
    try await syncWell(to: [Thing("a", "new"), things[1]]) { $0.trustsIndex = true }
    XCTAssertEqual(try tree(), ["a": "new", "b/c": "gamma"])
    XCTAssertEqual(try movedAway(to: "displaced"), ["a": "edited"])
  }
}
