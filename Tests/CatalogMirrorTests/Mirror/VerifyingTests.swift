import Foundation
import XCTest

@testable import CatalogMirror

/// What `verify` finds.
final class VerifyingTests: RunTestCase {
  private let things = [
    Thing("a", "alpha") { $0.preview = .init(url: "p/a.txt", text: "small") },
    Thing("b/c", "gamma"),
  ]

  func testEveryByteIsReadAlsoOfPreviews() async throws {
    try serve(things)
    try await syncWell { $0.previews = .also }
    let sound = try await mirror().verify()
    XCTAssertEqual(sound.files, 3)
    XCTAssertEqual(sound.bytes, 15)
    XCTAssertEqual(sound.problems, [])
    // Both of the same size and under their old dates.
    try overwriteKeepingItsDate(folder + "/b/c", with: "delta")
    let previews = folder + "/.mirror/previews"
    let name = try XCTUnwrap(FileManager.default.contentsOfDirectory(atPath: previews).first)
    try overwriteKeepingItsDate(previews + "/" + name, with: "SMALL")
    let found = try await mirror().verify()
    XCTAssertEqual(found.problems.map(\.key), ["a", "b/c"])
  }

  func testItTellsHowFarItIsUntilAllIsRead() async throws {
    try serve(things)
    try await syncWell { $0.previews = .also }
    try remove("b/c")
    let mirror = mirror()
    XCTAssertEqual(mirror.progress.itemsTotal, 0)
    _ = try await mirror.verify()
    var expected = MirrorProgress()
    expected.stage = .verify
    (expected.itemsDone, expected.itemsTotal, expected.failed) = (3, 3, 1)
    // What is gone is done with, too.
    (expected.bytesDone, expected.bytesTotal) = (15, 15)
    XCTAssertEqual(mirror.progress, expected)
  }

  func testAnItemThatALookFoundGoneIsNotPassedOver() async throws {
    try serve(things)
    try await syncWell()
    try remove("b/c")
    site.clear()
    let failed = try await sync()
    XCTAssertEqual(failed.outcome, .failed)
    let found = try await mirror().verify()
    XCTAssertEqual(found.problems.map(\.key), ["b/c"])
    XCTAssertEqual(found.problems.map(\.advice), [.repairFiles])
  }

  func testAfterARunOfPreviewsOnlyNoContentIsMissed() async throws {
    try serve(things)
    try await syncWell { $0.previews = .only }
    let found = try await mirror().verify()
    XCTAssertEqual(found.problems, [])
  }

  func testARunOfPreviewsOnlyGivesUpNoContent() async throws {
    try serve(things)
    try await syncWell { $0.previews = .also }
    try place("edited", at: "a")
    try await syncWell { $0.previews = .only }
    let found = try await mirror().verify()
    XCTAssertEqual(found.problems.map(\.key), ["a"])
  }

  func testAPreviewThatWasOverwrittenIsFetchedAgain() async throws {
    try serve(things)
    try await syncWell { $0.previews = .also }
    let previews = folder + "/.mirror/previews"
    let name = try XCTUnwrap(FileManager.default.contentsOfDirectory(atPath: previews).first)
    try Data("SMALL".utf8).write(to: URL(filePath: previews + "/" + name))
    let report = try await syncWell { $0.previews = .also }
    XCTAssertEqual(report.previews, 1)
    XCTAssertEqual(
      try String(contentsOfFile: previews + "/" + name, encoding: .utf8), "small")
  }

  private func overwriteKeepingItsDate(_ path: String, with text: String) throws {
    let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
    let file = try XCTUnwrap(FileHandle(forWritingAtPath: path))
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
    try FileManager.default.setAttributes(
      [.modificationDate: try XCTUnwrap(date)], ofItemAtPath: path)
  }
}
