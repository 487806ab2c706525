import Foundation
import SyncTransport
import TestSupport
import XCTest

@testable import CatalogMirror

/// Files that are there already, or come while a run is under way.
final class AdoptionTests: RunTestCase {
  private let things = [Thing("a", "alpha"), Thing("b/c", "gamma")]
  private let texts = ["a": "alpha", "b/c": "gamma"]

  private func undigested(_ key: String, _ text: String) -> Thing {
    Thing(key, text) { thing in
      thing.hasDigest = false
      thing.version = "1"
    }
  }

  func testAFirstRunOverAnExistingCopyFetchesNothing() async throws {
    for (name, text) in texts { try place(text, at: name) }
    try place("mine", at: "b/own")
    try await assertEqual(syncWell(to: things).adopted, 2)
    XCTAssertEqual(site.asked.count, 1)
    XCTAssertEqual(try tree(), texts.merging(["b/own": "mine"]) { $1 })
    try await assertIndexIsTrue()
    try await syncUnchanged()
  }

  func testWhatComesIntoAnEmptyFolderDuringTheDownloadsIsKept() async throws {
    try serve(things)
    let folder = folder
    site.onRequest { _, number in
      guard number == 2 else { return }
      for (name, text) in ["a": "mine", "b/c": "gamma"] {
        let file = URL(filePath: "\(folder)/\(name)")
        try makeFolder(at: file.deletingLastPathComponent())
        try Data(text.utf8).write(to: file)
      }
    }
    let report = try await syncWell { $0.concurrency = 1 }
    XCTAssertEqual([report.added, report.adopted, report.displaced], [1, 1, 1])
    XCTAssertEqual(try tree(), texts)
    XCTAssertEqual(try movedAway(to: "displaced"), ["a": "mine"])
    try await assertIndexIsTrue()
  }

  func testWithoutADigestTheFileIsFetchedAndComparedAndAdoptedIfEqual() async throws {
    try place("alpha", at: "a")
    try serve([undigested("a", "alpha")])
    let before = try FileManager.default.attributesOfItem(atPath: folder + "/a")
    try await assertEqual(syncWell().adopted, 1)
    XCTAssertEqual(site.asked.count, 2)
    let after = try FileManager.default.attributesOfItem(atPath: folder + "/a")
    XCTAssertEqual(before[.systemFileNumber] as? Int, after[.systemFileNumber] as? Int)
    XCTAssertEqual(try movedAway(to: "displaced"), [:])
    try await assertIndexIsTrue()
  }

  func testAForeignFileWithOtherBytesIsDisplaced() async throws {
    for hasDigest in [true, false] {
      for text in ["other", "ALPHA"] {
        try? FileManager.default.removeItem(atPath: folder)
        try place(text, at: "a")
        let report = try await syncWell(to: [hasDigest ? things[0] : undigested("a", "alpha")])
        XCTAssertEqual(report.displaced, 1)
        XCTAssertEqual(try tree(), ["a": "alpha"])
        XCTAssertEqual(try movedAway(to: "displaced"), ["a": text])
      }
    }
  }

  func testAForeignFileStaysWhereItIsWhenTheItemCannotBeHad() async throws {
    try place("mine", at: "a")
    try serve(things)
    try site.answer(Self.root + "a", .status(404))
    try await sync(ending: .someFailed)
    XCTAssertEqual(try tree(), ["a": "mine", "b/c": "gamma"])
  }

  func testSizeAndDateAreTrustedWhenAskedFor() async throws {
    let thing = Thing("a", "alpha") { thing in
      thing.hasDigest = false
      thing.modified = "2020-01-01T00:00:00Z"
    }
    try serve([thing])
    for (text, date, adopted) in [("ALPHA", 0.0, 1), ("ALPHA", 1.0, 0), ("longer", 0.0, 0)] {
      try? FileManager.default.removeItem(atPath: folder)
      try place(text, at: "a")
      try setDate(Date(timeIntervalSince1970: 1_577_836_800 + date), of: folder + "/a")
      try await assertEqual(syncWell { $0.adoption = .sizeAndDate }.adopted, adopted)
      XCTAssertEqual(try tree(), ["a": adopted == 1 ? text : "alpha"])
    }
  }

  func testAFileThatTheIndexKnowsWasWrongIsNotAdoptedByItsDate() async throws {
    // Bit rot: other bytes under the same size and date. `verify --repair` had marked it as lost.
    let thing = Thing("a", "alpha") { thing in
      thing.hasDigest = false
      thing.modified = "2020-01-01T00:00:00Z"
    }
    try await syncWell(to: [thing])
    try place("ALPHA", at: "a")
    let date = Date(timeIntervalSince1970: 1_577_836_800)
    try setDate(date, of: folder + "/a")
    try site.answer(Self.root + "a", .status(404))
    _ = try await mirror().repair()
    try await assertEqual(syncWell(to: [thing]) { $0.adoption = .sizeAndDate }.adopted, 0)
    XCTAssertEqual(try tree(), ["a": "alpha"])
  }

  func testForeignFilesInNobodysWayStayAndAreCounted() async throws {
    try place("mine", at: "mine.txt")
    try place("mine", at: "b/mine.txt")
    try await syncWell(to: things)
    try await syncWell(to: [things[0]])
    XCTAssertEqual(try tree(), ["a": "alpha", "mine.txt": "mine", "b/mine.txt": "mine"])
    let status = try await mirror().status()
    XCTAssertEqual(status.foreign, 2)
    XCTAssertEqual(status.contents, 1)
  }

  /// Does something to the folder when an item is asked for.
  private func whenAskedFor(_ path: String, _ action: @escaping @Sendable () throws -> Void) {
    site.onRequest { request, _ in
      if request.address.path == path { try action() }
    }
  }

  func testAFileThatIsEditedDuringTheRunIsDisplaced() async throws {
    try await syncWell(to: things + [Thing("gone", "gone")])
    try serve([Thing("a", "changed"), things[1], Thing("new", "new")])
    let folder = folder
    whenAskedFor("/pub/a") {
      for name in ["a", "new", "gone"] {
        try Data("edited \(name)".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      }
    }
    try await assertEqual(syncWell().displaced, 3)
    XCTAssertEqual(try tree(), ["a": "changed", "b/c": "gamma", "new": "new"])
    XCTAssertEqual(
      try movedAway(to: "displaced"),
      ["a": "edited a", "new": "edited new", "gone": "edited gone"])
    XCTAssertEqual(try inside("quarantine"), [:])
    try await assertIndexIsTrue()
  }

  func testAFileThatAppearsWithTheRightBytesDuringTheRunIsAdopted() async throws {
    try serve(things)
    let folder = folder
    whenAskedFor("/pub/a") {
      try Data("alpha".utf8).write(to: URL(fileURLWithPath: folder + "/a"))
    }
    try await assertEqual(syncWell().adopted, 1)
    XCTAssertEqual(try tree(), texts)
    try await assertIndexIsTrue()
  }

  func testADeletedIndexIsRebuiltWithoutFetching() async throws {
    try await syncWell(to: things)
    try place("mine", at: "mine")
    for suffix in ["", "-wal"] { try? remove(".mirror/index.sqlite" + suffix) }
    try await assertEqual(syncWell().adopted, 2)
    XCTAssertEqual(site.asked.count, 1)
    XCTAssertEqual(try tree(), texts.merging(["mine": "mine"]) { $1 })
    try await assertIndexIsTrue()
  }

  func testWithoutAnIndexNothingIsRemovedThatTheListingDoesNotConfirm() async throws {
    try await syncWell(to: things)
    for suffix in ["", "-wal"] { try? remove(".mirror/index.sqlite" + suffix) }
    try await syncWell(to: [things[0]])
    XCTAssertEqual(try tree(), texts)
  }
}
