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
    try serve(first)
    try await syncWell()
    try serve(second, isComplete: isComplete)
    return try await sync()
  }

  func testAFileBecomesADirectory() async throws {
    let report = try await go(from: file, to: directory)
    XCTAssertEqual(report.outcome, .done, "\(report.failures)")
    XCTAssertEqual(report.removed, 1)
    XCTAssertEqual(try tree(), directoryTexts)
    XCTAssertEqual(try movedAway(to: "quarantine"), ["a": "file"])
    try await assertIndexIsTrue()
    let again = try await syncWell()
    XCTAssert(again.wasUnchanged)
  }

  func testADirectoryBecomesAFile() async throws {
    let report = try await go(from: directory, to: file)
    XCTAssertEqual(report.outcome, .done, "\(report.failures)")
    XCTAssertEqual(report.removed, 2)
    XCTAssertEqual(try tree(), fileTexts)
    XCTAssertEqual(try movedAway(to: "quarantine"), ["a/x": "1", "a/y/z": "2"])
    try await assertIndexIsTrue()
  }

  func testAFileBecomesADirectoryAndBackAndOneAgain() async throws {
    for _ in 0..<3 {
      try serve(file)
      try await syncWell()
      XCTAssertEqual(try tree(), fileTexts)
      try serve(directory)
      try await syncWell()
      XCTAssertEqual(try tree(), directoryTexts)
      try await assertIndexIsTrue()
    }
  }

  func testAPartialListingMovesNothingOfOursAway() async throws {
    for (first, second, texts) in [
      (file, directory, fileTexts), (directory, file, directoryTexts),
    ] {
      try? FileManager.default.removeItem(atPath: folder)
      let report = try await go(from: first, to: second, isComplete: false)
      XCTAssertEqual(report.outcome, .someFailed)
      XCTAssertEqual(try tree(), texts)
      XCTAssertEqual(try inside("quarantine"), [:])
      XCTAssertEqual(try inside("displaced"), [:])
      try await assertIndexIsTrue()
      try serve(second)
      try await syncWell()
      XCTAssertEqual(try tree(), second == file ? fileTexts : directoryTexts)
    }
  }

  func testTheOutgoingSideStaysWhenTheIncomingOneCannotBeHad() async throws {
    try serve(directory)
    try await syncWell()
    try serve(file)
    try site.answer(Self.root + "a", .status(404))
    let report = try await sync()
    XCTAssertEqual(report.outcome, .someFailed)
    XCTAssertEqual(report.removed, 2, "what vanished goes all the same")
    XCTAssertEqual(try tree(), ["z": "z"])
    try await assertIndexIsTrue()
  }

  func testForeignFilesInADirectoryThatBecomesAFileAreDisplaced() async throws {
    try serve(directory)
    try await syncWell()
    try place("mine", at: "a/y/mine")
    try serve(file)
    try await syncWell()
    XCTAssertEqual(try tree(), fileTexts)
    XCTAssertEqual(try movedAway(to: "displaced"), ["a/y/mine": "mine"])
    XCTAssertEqual(try movedAway(to: "quarantine"), ["a/x": "1", "a/y/z": "2"])
    try await assertIndexIsTrue()
  }

  func testAPartialListingLeavesForeignFilesInADirectoryOfOursAlone() async throws {
    try serve(directory)
    try await syncWell()
    try place("mine", at: "a/b")
    try serve(file, isComplete: false)
    let report = try await sync()
    XCTAssertEqual(report.outcome, .someFailed)
    XCTAssertEqual(try tree(), directoryTexts.merging(["a/b": "mine"]) { $1 })
  }

  func testTheLimitCountsWhatChangesItsKind() async throws {
    let many = (0..<20).map { Thing("a/\($0)", "\($0)") }
    try serve(many)
    try await syncWell()
    try serve([Thing("a", "file")])
    let report = try await sync()
    XCTAssertEqual(report.outcome, .removalRefused(count: 20, of: 20))
    XCTAssertEqual(try tree().count, 20)
  }
}
