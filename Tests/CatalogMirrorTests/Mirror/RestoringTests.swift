import Foundation
import SyncLock
import TestSupport
import XCTest

@testable import CatalogMirror

/// What was moved away comes back when somebody asks for it.
final class RestoringTests: RunTestCase {
  private let things = [Thing("a", "alpha"), Thing("b/c", "gamma"), Thing("b/d", "delta")]

  /// A mirror of whose items one was removed and one had been edited.
  private func prepare() async throws {
    try await syncWell(to: things)
    try place("mine", at: "a")
    try await syncWell(to: [things[0], things[2]])
  }

  func testWhatLiesThereIsListedWithItsCause() async throws {
    try await prepare()
    let files = try await mirror().restorable()
    XCTAssertEqual(files.map(\.key), ["a", "b/c"])
    XCTAssertEqual(files.map(\.cause), [.displaced, .removed])
    XCTAssertEqual(files.map(\.size), [4, 5])
    XCTAssertEqual(Set(files.map(\.batch)), ["20250131T120000Z"])
    XCTAssertEqual(files.map(\.movedAt), [now.withLock { $0 }, now.withLock { $0 }])
  }

  func testWhatCameBackIsLeftAloneUntilTheCatalogListsItAgain() async throws {
    try await prepare()
    let removed = try await mirror().restorable().filter { $0.cause == .removed }
    let restoration = try await mirror().restore(removed)
    XCTAssertEqual(restoration.restored, [.init(key: "b/c", place: "b/c", size: 5)])
    XCTAssertEqual(try tree()["b/c"], "gamma")
    XCTAssertEqual(try inside("quarantine"), [:])
    let status = try await mirror().status()
    XCTAssertEqual(status.quarantined, 0, "the index has forgotten it")
    XCTAssertEqual(status.foreign, 1)
    try await syncWell()
    XCTAssertEqual(try tree()["b/c"], "gamma", "nobody's any more")
    try await assertEqual(syncWell(to: things).adopted, 1)
    try await assertIndexIsTrue()
  }

  func testWhereSomethingStandsItComesBesideIt() async throws {
    try await prepare()
    let edited = try await mirror().restorable().filter { $0.cause == .displaced }
    let restoration = try await mirror().restore(edited)
    let place = "a.restored-20250131T120000Z"
    XCTAssertEqual(restoration.restored, [.init(key: "a", place: place, size: 4)])
    XCTAssertEqual(try tree()["a"], "alpha")
    XCTAssertEqual(try tree()[place], "mine")
    let again = try await mirror().restore(edited)
    XCTAssertEqual(again.restored, [])
    XCTAssertEqual(again.failures.map(\.key), ["a"], "it lies there no longer")
  }

  func testCopiesGoElsewhereAndNothingIsMoved() async throws {
    try await prepare()
    let files = try await mirror().restorable()
    let elsewhere = base + "/elsewhere"
    try put("here", at: elsewhere + "/b/c")
    let restoration = try await mirror().restore(files, copyingTo: elsewhere)
    XCTAssertEqual(
      restoration.restored.map(\.place), ["a", "b/c.restored-20250131T120000Z"])
    XCTAssertEqual(
      try self.files(below: elsewhere),
      ["a": "mine", "b/c": "here", "b/c.restored-20250131T120000Z": "gamma"])
    try await assertEqual(mirror().restorable(), files)
    let inside = folder + "/.mirror/quarantine/x"
    let refused = await folderCode { try await mirror().restore(files, copyingTo: inside) }
    XCTAssertEqual(refused, .insideMirror(of: folder), "it would be removed in time")
  }

  func testAFolderThatIsNoMirrorHasNothingToBringBack() async throws {
    await assertEqual(folderCode { try await mirror().restorable() }, .missing)
    try place("x", at: "a")
    await assertEqual(folderCode { try await mirror().restorable() }, .notAMirror)
  }
}
