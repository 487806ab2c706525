import Foundation
import SyncTransport
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
    try serve(things)
    let report = try await syncWell()
    XCTAssertEqual(report.adopted, 2)
    XCTAssertEqual(site.asked.count, 1)
    XCTAssertEqual(try tree(), texts.merging(["b/own": "mine"]) { $1 })
    try await assertIndexIsTrue()
    let again = try await syncWell()
    XCTAssert(again.wasUnchanged)
  }

  func testWhatComesIntoAnEmptyFolderDuringTheDownloadsIsKept() async throws {
    try serve(things)
    let folder = folder
    site.onRequest { _, number in
      guard number == 2 else { return }
      for (name, text) in ["a": "mine", "b/c": "gamma"] {
        let file = URL(filePath: "\(folder)/\(name)")
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
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
    let report = try await syncWell()
    XCTAssertEqual(report.adopted, 1)
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
        try serve([hasDigest ? things[0] : undigested("a", "alpha")])
        let report = try await syncWell()
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
    let report = try await sync()
    XCTAssertEqual(report.outcome, .someFailed)
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
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_577_836_800 + date)],
        ofItemAtPath: folder + "/a")
      let report = try await syncWell { $0.adoption = .sizeAndDate }
      XCTAssertEqual(report.adopted, adopted)
      XCTAssertEqual(try tree(), ["a": adopted == 1 ? text : "alpha"])
    }
  }

  func testAFileThatTheIndexKnowsWasWrongIsNotAdoptedByItsDate() async throws {
    // Bit rot: other bytes under the same size and date. `verify --repair` had marked it as lost.
    let thing = Thing("a", "alpha") { thing in
      thing.hasDigest = false
      thing.modified = "2020-01-01T00:00:00Z"
    }
    try serve([thing])
    try await syncWell()
    try place("ALPHA", at: "a")
    let date = Date(timeIntervalSince1970: 1_577_836_800)
    try FileManager.default.setAttributes(
      [.modificationDate: date], ofItemAtPath: folder + "/a")
    try site.answer(Self.root + "a", .status(404))
    _ = try await mirror().repair()
    try serve([thing])
    let report = try await syncWell { $0.adoption = .sizeAndDate }
    XCTAssertEqual(report.adopted, 0)
    XCTAssertEqual(try tree(), ["a": "alpha"])
  }

  func testForeignFilesInNobodysWayStayAndAreCounted() async throws {
    try place("mine", at: "mine.txt")
    try place("mine", at: "b/mine.txt")
    try serve(things)
    try await syncWell()
    try serve([things[0]])
    try await syncWell()
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
    try serve(things + [Thing("gone", "gone")])
    try await syncWell()
    try serve([Thing("a", "changed"), things[1], Thing("new", "new")])
    let folder = folder
    whenAskedFor("/pub/a") {
      for name in ["a", "new", "gone"] {
        try Data("edited \(name)".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      }
    }
    let report = try await syncWell()
    XCTAssertEqual(report.displaced, 3)
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
    let report = try await syncWell()
    XCTAssertEqual(report.adopted, 1)
    XCTAssertEqual(try tree(), texts)
    try await assertIndexIsTrue()
  }

  func testADeletedIndexIsRebuiltWithoutFetching() async throws {
    try serve(things)
    try await syncWell()
    try place("mine", at: "mine")
    for suffix in ["", "-wal"] { try? remove(".mirror/index.sqlite" + suffix) }
    let report = try await syncWell()
    XCTAssertEqual(report.adopted, 2)
    XCTAssertEqual(site.asked.count, 1)
    XCTAssertEqual(try tree(), texts.merging(["mine": "mine"]) { $1 })
    try await assertIndexIsTrue()
  }

  func testWithoutAnIndexNothingIsRemovedThatTheListingDoesNotConfirm() async throws {
    try serve(things)
    try await syncWell()
    for suffix in ["", "-wal"] { try? remove(".mirror/index.sqlite" + suffix) }
    try serve([things[0]])
    try await syncWell()
    XCTAssertEqual(try tree(), texts)
  }
}
