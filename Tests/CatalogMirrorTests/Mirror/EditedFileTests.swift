import Foundation
import XCTest

@testable import CatalogMirror

/// Files of ours that somebody edited, touched or removed.
final class EditedFileTests: RunTestCase {
  private let things = [Thing("a", "alpha"), Thing("b/c", "gamma")]
  private let texts = ["a": "alpha", "b/c": "gamma"]

  func testAnEditedFileIsDisplacedAndRepaired() async throws {
    try serve(things)
    try await syncWell()
    try place("edited", at: "a")
    try serve(things + [Thing("new", "new")])
    let report = try await syncWell()
    XCTAssertEqual(report.repaired, 1)
    XCTAssertEqual(try tree(), texts.merging(["new": "new"]) { $1 })
    XCTAssertEqual(try movedAway(to: "displaced"), ["a": "edited"])
    try await assertIndexIsTrue()
  }

  func testAFileThatWasEditedToWhatTheCatalogNowHasIsAdopted() async throws {
    try serve(things)
    try await syncWell()
    try place("edited", at: "a")
    try serve([Thing("a", "edited"), things[1]])
    let report = try await syncWell()
    XCTAssertEqual(report.adopted, 1)
    XCTAssertEqual(site.asked.count, 1)
    XCTAssertEqual(try movedAway(to: "displaced"), [:])
  }

  func testAnEditedFileWhoseItemVanishedIsKeptAside() async throws {
    try serve(things)
    try await syncWell()
    try place("edited", at: "a")
    try serve([things[1]])
    try await syncWell()
    XCTAssertEqual(try tree(), ["b/c": "gamma"])
    XCTAssertEqual(try movedAway(to: "displaced"), ["a": "edited"])
    try await assertIndexIsTrue()
  }

  func testAnEditThatAFailedRunFoundIsLeftAloneAndNotCountedAsRemoved() async throws {
    try serve(things)
    try await syncWell()
    try place("edited", at: "a")
    try site.answer(Self.root + "a", .status(404))
    let failed = try await sync()
    XCTAssertEqual(failed.outcome, .someFailed)
    try serve([things[1]])
    let report = try await syncWell()
    XCTAssertEqual([report.removed, report.displaced], [0, 0])
    XCTAssertEqual(try tree(), ["a": "edited", "b/c": "gamma"])
    let status = try await mirror().status()
    XCTAssertEqual(status.foreign, 1)
  }

  func testATouchedFileIsOnlyHashed() async throws {
    try serve(things)
    try await syncWell()
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folder + "/a")
    let report = try await syncWell()
    XCTAssertEqual(report.repaired, 0)
    XCTAssertEqual(site.asked.count, 1)
    XCTAssertEqual(try movedAway(to: "displaced"), [:])
    try serve([Thing("a", "new"), things[1]])
    try await syncWell()
    XCTAssertEqual(try movedAway(to: "displaced"), [:], "its new state is known as ours")
  }

  func testALinkOrADirectoryInAFilesPlaceIsDamage() async throws {
    try serve(things)
    try await syncWell()
    try remove("a")
    try place("deep", at: "a/below")
    try await syncWell()
    XCTAssertEqual(try tree(), texts)
    XCTAssertEqual(try movedAway(to: "displaced"), ["a/below": "deep"])
    try remove("a")
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/a", withDestinationPath: base + "/elsewhere")
    let report = try await sync()
    XCTAssertEqual(report.outcome, .someFailed)
    XCTAssertFalse(FileManager.default.fileExists(atPath: base + "/elsewhere"))
  }

  func testTrustIndexSkipsTheLook() async throws {
    try serve(things)
    try await syncWell()
    try remove("a")
    let report = try await syncWell { $0.trustsIndex = true }
    XCTAssert(report.wasUnchanged)
    XCTAssertEqual(site.asked.count, 1)
    XCTAssertFalse(exists("a"))
    try await syncWell()
    XCTAssertEqual(try tree(), texts)
  }

  func testTrustIndexStillDisplacesAnEditedFileInTheWay() async throws {
    try serve(things)
    try await syncWell()
    try place("edited", at: "a")
    try serve([Thing("a", "new"), things[1]])
    try await syncWell { $0.trustsIndex = true }
    XCTAssertEqual(try tree(), ["a": "new", "b/c": "gamma"])
    XCTAssertEqual(try movedAway(to: "displaced"), ["a": "edited"])
  }

  func testVerifyHashesEveryByteAndChangesNothing() async throws {
    try serve(things)
    try await syncWell()
    let date = try FileManager.default.attributesOfItem(atPath: folder + "/a")[.modificationDate]
    let file = try XCTUnwrap(FileHandle(forWritingAtPath: folder + "/a"))
    try file.write(contentsOf: Data("ALPHA".utf8))
    try file.close()
    try FileManager.default.setAttributes(
      [.modificationDate: try XCTUnwrap(date as? Date)], ofItemAtPath: folder + "/a")
    let found = try await mirror().verify()
    XCTAssertEqual(found.files, 2)
    XCTAssertEqual(found.bytes, 10)
    XCTAssertEqual(found.problems.map(\.key), ["a"])
    XCTAssertEqual(try tree(), ["a": "ALPHA", "b/c": "gamma"])
  }
}
