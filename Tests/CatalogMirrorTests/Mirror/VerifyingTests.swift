import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// What `verify` finds.
final class VerifyingTests: RunTestCase {
  private let things = [
    Thing("a", "alpha") { $0.preview = .init(url: "p/a.txt", text: "small") },
    Thing("b/c", "gamma"),
  ]

  func testEveryByteIsReadAlsoOfPreviews() async throws {
    try await syncWell(to: things) { $0.previews = .also }
    let sound = try await mirror().verify()
    XCTAssertEqual(sound.files, 3)
    XCTAssertEqual(sound.bytes, 15)
    XCTAssertEqual(sound.problems, [])
    // Both of the same size and under their old dates.
    try rot("b/c", "delta")
    let previews = folder + "/.mirror/previews"
    let name = try XCTUnwrap(FileManager.default.contentsOfDirectory(atPath: previews).first)
    try rot(".mirror/previews/\(name)", "SMALL")
    try await assertEqual(mirror().verify().problems.map(\.key), ["a", "b/c"])
  }

  func testItTellsHowFarItIsUntilAllIsRead() async throws {
    try await syncWell(to: things) { $0.previews = .also }
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
    try await syncWell(to: things)
    try remove("b/c")
    site.clear()
    try await sync(ending: .failed)
    let found = try await mirror().verify()
    XCTAssertEqual(found.problems.map(\.key), ["b/c"])
    XCTAssertEqual(found.problems.map(\.advice), [.repairFiles])
  }

  func testAfterARunOfPreviewsOnlyNoContentIsMissed() async throws {
    try await syncWell(to: things) { $0.previews = .only }
    try await assertEqual(mirror().verify().problems, [])
  }

  func testARunOfPreviewsOnlyGivesUpNoContent() async throws {
    try await syncWell(to: things) { $0.previews = .also }
    try place("edited", at: "a")
    try await syncWell { $0.previews = .only }
    try await assertEqual(mirror().verify().problems.map(\.key), ["a"])
  }
}
