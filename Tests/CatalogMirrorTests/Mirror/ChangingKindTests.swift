import TestSupport
import XCTest

@testable import CatalogMirror

/// A file becomes a directory, or the reverse, from one catalog to the next.
final class ChangingKindTests: RunTestCase {
  private let file = [Thing("a", "file"), Thing("z", "z")]
  private let directory = [Thing("a/x", "1"), Thing("a/y/z", "2"), Thing("z", "z")]
  private let fileTexts = ["a": "file", "z": "z"]
  private let directoryTexts = ["a/x": "1", "a/y/z": "2", "z": "z"]

  private func go(
    from first: [Thing], to second: [Thing], isComplete: Bool = true
  ) async throws -> MirrorReport {
    try await syncWell(to: first)
    try serve(second, isComplete: isComplete)
    return try await sync()
  }

  func testAPartialListingMovesNothingOfOursAway() async throws {
    for (first, second, texts) in [
      (file, directory, fileTexts), (directory, file, directoryTexts),
    ] {
      try? FileManager.default.removeItem(atPath: folder)
      assertEnds(try await go(from: first, to: second, isComplete: false), .someFailed)
      XCTAssertEqual(try tree(), texts)
      XCTAssertEqual(try inside("quarantine"), [:])
      XCTAssertEqual(try inside("displaced"), [:])
      try await assertIndexIsTrue()
      try await syncWell(to: second)
      XCTAssertEqual(try tree(), second == file ? fileTexts : directoryTexts)
    }
  }

  func testTheOutgoingSideStaysWhenTheIncomingOneCannotBeHad() async throws {
    try await syncWell(to: directory)
    try serve(file)
    try site.answer(Self.root + "a", .status(404))
    try await assertEqual(sync(ending: .someFailed).removed, 2, "what vanished goes all the same")
    XCTAssertEqual(try tree(), ["z": "z"])
    try await assertIndexIsTrue()
  }

  func testAPartialListingLeavesForeignFilesInADirectoryOfOursAlone() async throws {
    try await syncWell(to: directory)
    try place("mine", at: "a/b")
    try await sync(to: file, isComplete: false, ending: .someFailed)
    XCTAssertEqual(try tree(), directoryTexts.merging(["a/b": "mine"]) { $1 })
  }
}
